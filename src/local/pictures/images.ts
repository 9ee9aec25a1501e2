import { Failure } from '../../contract/failure.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { images } from '../../contract/operations/pictures.ts';
import type { Context, InnerPicture, Part } from '../../contract/ports.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { openDrawer } from '../../pdf/render/drawer.ts';
import { numbersOf } from '../../pdf/render/page-names.ts';

/** Each file has to reach the disk. */
const MOST_FILES = 20_000;

interface Entry extends InnerPicture {
  readonly page: number;
  /** Among the pictures of its page, from 1. */
  readonly number: number;
  /** The file that has it; pictures that are shown again have none of their own. */
  readonly name: string;
}

export function run(input: InputOf<typeof images>, ctx: Context): Promise<ResultOf<typeof images>> {
  return withSources([input.file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    const { name } = source.file;
    const total = source.tree.pages.length;
    const pages = [...new Set(numbersOf(name, total, input.pages))];
    const drawer = await openDrawer(source, input.file, { ...ctx, temp });
    try {
      const entries: Entry[] = [];
      const parts: Part[] = [];
      const names = new Map<string, string>();
      const width = Math.max(3, String(total).length);
      for (const [done, page] of pages.entries()) {
        ctx.signal.throwIfAborted();
        ctx.progress({ phase: 'read', done, total: pages.length, unit: 'pages' });
        for (const [index, picture] of (await drawer.pictures(page)).entries()) {
          const known = names.get(picture.hash);
          const extension = picture.type === 'jpeg' ? 'jpg' : 'png';
          const file = known ?? `page-${String(page).padStart(width, '0')}-${index + 1}.${extension}`;
          entries.push({ ...picture, page, number: index + 1, name: file });
          if (known !== undefined) continue;
          names.set(picture.hash, file);
          if (names.size > MOST_FILES) throw tooMany(name);
          if (input.list === true) continue;
          const draft = temp.create(file);
          draft.write(await drawer.takePicture(page, index));
          parts.push({ name: file, body: draft.finish() });
        }
      }
      if (input.list === true) return { kind: 'record', record: recordOf(entries) };
      if (parts.length > 0) return { kind: 'parts', parts };
      throw new Failure(
        'unprocessable',
        `${name} has no pictures${input.pages === undefined ? '' : ' on these pages'}`,
        {
          hint: 'Use to-images for pictures of whole pages.',
        },
      );
    } finally {
      drawer.close();
    }
  });
}

function recordOf(entries: readonly Entry[]): Record<string, unknown> {
  const pictures = entries.map(({ hash: _, ...entry }) => entry);
  const head = ['page', 'number', 'width', 'height', 'x_dpi', 'y_dpi', 'masked', 'filter', 'name'] as const;
  const rows = [[...head], ...pictures.map((entry) => head.map((key) => String(entry[key])))];
  const widths = head.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const table = rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
  return { ok: true, pictures, table };
}

function tooMany(name: string): Failure {
  return new Failure('unprocessable', `${name} has more than ${MOST_FILES} pictures`, {
    kind: 'limit',
    hint: 'Take fewer at a time, with --pages.',
  });
}
