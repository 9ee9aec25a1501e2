import { PDF } from '../../../contract/media.ts';
import { formatPages, parsePageRange, resolvePages } from '../../../contract/page-range.ts';
import { describeRange } from '../../../contract/page-range-words.ts';
import { openOne } from '../../../runtime/files/inputs/inputs.ts';
import { withWorkspace } from '../../../runtime/files/outputs/workspace.ts';
import { passwordFinder, readPasswordSources } from '../../../runtime/terminal/passwords.ts';
import { otherReaders } from '../../children/other-reader.ts';
import { countLocalPages } from '../../engines/local.ts';
import { type OwnCall, recordContext } from '../../line/call.ts';
import { textOf } from '../../line/flags.ts';
import { tell } from '../../run/show.ts';

export async function run(call: OwnCall): Promise<number> {
  const [text = '', file] = call.args;
  const range = parsePageRange(text);
  const means = describeRange(range);
  if (file === undefined) {
    tell(call, { ok: true, range: text, means });
    return 0;
  }
  const count = await pagesIn(file, call);
  const pages = resolvePages(range, count, file);
  const selection = { count: pages.length, page_count: count };
  // A person reads 1-500, a program five hundred numbers.
  tell(call, { ok: true, range: text, means, pages: call.flags.json ? pages : inFewWords(pages), ...selection });
  return 0;
}

/** The shortest spelling: `1-85:odd` instead of 43 numbers. */
function inFewWords(pages: readonly number[]): string {
  const [first = 0, last = 0] = [pages[0], pages.at(-1)];
  const isEverySecond = pages.length > 3 && pages.every((page, index) => page === first + 2 * index);
  if (!isEverySecond) return formatPages(pages);
  return first % 2 === 1 ? `${first}-${last}:odd` : `${first - 1}-${last}:even`;
}

async function pagesIn(file: string, call: OwnCall): Promise<number> {
  const { options, streams, signal, clock } = call;
  return withWorkspace(async (workspace) => {
    const source = await openOne(file, workspace, signal, [PDF]);
    return countLocalPages(source, {
      ...recordContext(call),
      temp: workspace.temp({ name: file }),
      password: passwordFinder(
        await readPasswordSources({ file: textOf(options, 'passwordFile'), byFile: [] }, signal),
        streams,
        signal,
      ),
      ...otherReaders(clock, signal),
    });
  });
}
