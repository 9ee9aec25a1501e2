import { closing } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type { InnerPicture, Part } from '../../contract/base/ports.ts';
import { field, operationNamed, say } from '../../contract/base/wording.ts';
import { columns } from '../../contract/columns.ts';
import type { images } from '../../contract/operations/pictures.ts';
import { askedPages } from '../../pdf/page/page-names.ts';
import { openDrawer } from '../../pdf/render/drawer.ts';
import { showingHidden } from '../../pdf/render/hidden-pictures.ts';
import type { Handler } from '../frame/handler.ts';
import { MOST_FILES } from '../frame/names.ts';
import { withSource } from '../frame/with-source.ts';

interface Entry extends InnerPicture {
  readonly page: number;
  /** Its number among the pictures of its page, from 1. */
  readonly number: number;
  /** The file that holds it; a picture that is shown again has no file of its own. */
  readonly name: string;
}

export const run: Handler<typeof images> = (input, ctx) => {
  return withSource(input.file, ctx, async (source, temp) => {
    const { name } = source.file;
    const total = source.tree.pages.length;
    const pages = [...new Set(askedPages(name, total, input.pages))];
    const chosen = pages.flatMap((page) => source.tree.pages[page - 1] ?? []);
    using drawer = closing(await openDrawer(source, input.file, { ...ctx, temp }, showingHidden(source.file, chosen)));
    const entries: Entry[] = [];
    const parts: Part[] = [];
    const names = new Map<string, string>();
    const width = Math.max(3, String(total).length);
    for (const [done, page] of pages.entries()) {
      ctx.signal.throwIfAborted();
      ctx.progress({ phase: 'read', done, total: pages.length, unit: 'pages' });
      const pictures = await drawer.pictures(page);
      const digits = String(pictures.length).length;
      for (const [index, picture] of pictures.entries()) {
        const known = names.get(picture.hash);
        const extension = picture.type === 'jpeg' ? 'jpg' : 'png';
        const file =
          known ?? `page-${String(page).padStart(width, '0')}-${String(index + 1).padStart(digits, '0')}.${extension}`;
        entries.push({ ...picture, page, number: index + 1, name: file });
        if (known !== undefined) continue;
        names.set(picture.hash, file);
        if (names.size > MOST_FILES) throw tooMany(name);
        if (input.list) continue;
        const draft = temp.create(file);
        draft.write(await drawer.takePicture(page, index));
        parts.push({ name: file, body: draft.finish() });
      }
    }
    if (input.list) return { kind: 'record', record: recordOf(entries) };
    if (parts.length > 0) return { kind: 'parts', parts };
    const message = `${name} has no pictures${input.pages === undefined ? '' : ' on these pages'}`;
    throw new Failure('unprocessable', message, {
      hint: say`Use ${operationNamed('to-images')} for pictures of whole pages.`,
    });
  });
};

function recordOf(entries: readonly Entry[]): Record<string, unknown> {
  const pictures = entries.map(({ hash: _, ...entry }) => entry);
  const head = ['page', 'number', 'width', 'height', 'x_dpi', 'y_dpi', 'masked', 'filter', 'name'] as const;
  const rows = [[...head], ...pictures.map((entry) => head.map((key) => String(entry[key])))];
  return { ok: true, pictures, table: columns(rows).join('\n') };
}

function tooMany(name: string): Failure {
  return new Failure('unprocessable', `${name} has more than ${MOST_FILES} pictures`, {
    kind: 'limit',
    hint: say`Take fewer at a time, with ${field('pages')}.`,
  });
}
