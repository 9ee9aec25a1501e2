/** Both ends of the image codecs: the hidden command in which they run, and the code that starts it. */
import type { Helper } from '../../contract/base/ports.ts';
import type { RunOwn } from '../line/call.ts';

/** For a Context. Nothing is loaded before a picture is to be decoded. */
export async function startCodecs(): Promise<Helper> {
  const [{ startHelper }, { ownCommand }] = await Promise.all([
    import('../../runtime/processes/helper-process.ts'),
    import('../../runtime/processes/child.ts'),
  ]);
  const [node = '', ...own] = ownCommand();
  // Code that V8 optimises on other threads is often ready only after the last picture: 5 to 10 % of the processor time.
  // Loops over pixels run best in its last compiler: where Node 24 has another one before it, a scan takes 5 to 15 % more.
  return startHelper([node, '--no-concurrent-recompilation', '--no-maglev', ...own, '__codec']);
}

export const codec: RunOwn = async () => {
  const [{ openAsker }, { answerWithin }, { systemClock }] = await Promise.all([
    import('../../runtime/processes/channel.ts'),
    import('../../runtime/processes/helper-process.ts'),
    import('../../runtime/clock.ts'),
  ]);
  const asker = openAsker('__codec', 'Use pdftool compress FILE.');
  const { createCodec } = await import('../../pdf/shrink/pictures/codec-process.ts');
  await answerWithin(await createCodec(systemClock.now), asker);
  return 0;
};
