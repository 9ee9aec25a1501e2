// Both ends of drawing pages: the hidden command that draws, and the code that starts it.
import type { Clock, Context } from '../../contract/base/ports.ts';
import type { Kept } from '../../runtime/processes/page-drawer.ts';
import type { RunOwn } from '../line/call.ts';

/**
 * For a Context: starts this program again as `__draw`, once a document, or where one is kept, for one document after the
 * other. Nothing of it is loaded before.
 */
export function pageDrawers(clock: Clock, signal: AbortSignal, isKept = false): NonNullable<Context['drawPages']> {
  let kept: Kept | undefined;
  return async (file, document) => {
    const [{ startDrawer, Kept }, { ownCommand }] = await Promise.all([
      import('../../runtime/processes/page-drawer.ts'),
      import('../../runtime/processes/child.ts'),
    ]);
    if (isKept) kept ??= new Kept(clock);
    return startDrawer([...ownCommand(), '__draw'], file, document, clock, signal, kept);
  };
}

export const draw: RunOwn = async () => {
  const { openAsker } = await import('../../runtime/processes/channel.ts');
  const asked = openAsker('__draw', 'Use pdftool to-images FILE.');
  const [{ answerWith }, { packageFile }, { optimiseLater }] = await Promise.all([
    import('../../pdf/render/answer.ts'),
    import('../../runtime/folders/package-files.ts'),
    import('../../runtime/processes/child.ts'),
  ]);
  optimiseLater();
  const answer = answerWith(asked, () => packageFile('@embedpdf/pdfium/pdfium.wasm'));
  // Sent by startDrawer of the same program.
  await asked.serveAtOnce((question) => answer(question as Parameters<typeof answer>[0]));
  return 0;
};
