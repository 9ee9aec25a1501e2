import { columns } from '../../../contract/columns.ts';
import { printableLine } from '../../../runtime/terminal/printable.ts';
import { speechMeans } from '../../children/means.ts';
import type { OwnCall } from '../../line/call.ts';
import { textOf } from '../../line/flags.ts';

/** Lists the available voices, in the order in which engines are asked for a language. */
export async function run(call: OwnCall): Promise<number> {
  const { flags, streams, signal, options } = call;
  const { listVoices, speaks, speechEngines } = await import('../../../speech/voices/catalogue.ts');
  const listed = await listVoices(speechEngines({ ...(await speechMeans(false)), signal }));
  const language = textOf(options, 'language');
  const voices = listed.filter((voice) => language === undefined || !voice.installed || speaks(voice, language));
  if (flags.json) {
    streams.json({ ok: true, voices });
    return 0;
  }
  const lines = columns(voices.map(cells));
  streams.out(`${lines.map(printableLine).join('\n')}\n`);
  return 0;
}

function cells({ id, language, quality, installed, licence, note, default: isDefault }: Listed): string[] {
  if (!installed) return [`-  ${id.replace(/:$/, '')}`, '', '', `${note} (${licence})`];
  return [`ok ${id}`, language, quality, `${licence}${isDefault ? ', the default' : ''}`];
}

type Listed = Awaited<ReturnType<typeof import('../../../speech/voices/catalogue.ts').listVoices>>[number];
