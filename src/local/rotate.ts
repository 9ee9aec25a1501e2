// Owns rotate on the local engine. Knows neither terminal nor HTTP.
import { PDF } from '../contract/media.ts';
import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { rotate } from '../contract/operations/pages.ts';
import type { Context } from '../contract/ports.ts';
import { checked, fingerprint } from '../pdf/file/assemble.ts';
import type { Page } from '../pdf/file/pages.ts';
import { rewrite } from '../pdf/file/rewrite.ts';
import { signatureWarning } from '../pdf/file/signature.ts';
import { type Source, withSources } from '../pdf/file/source.ts';
import { Pace } from '../pdf/pace.ts';

export function run({ file, angle }: InputOf<typeof rotate>, ctx: Context): Promise<ResultOf<typeof rotate>> {
  return withSources([file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    const draft = temp.create('rotated.pdf');
    const id = fingerprint(sources, `rotate ${angle}`);
    await rewrite(source, draft, id, new Pace(ctx), (page) => turned(page, angle, source.tree.turnedAbove));
    const pages = source.tree.pages.length;
    const body = await checked(draft.finish(), pages);
    return { kind: 'bytes', mediaType: PDF, body, pages, warnings: signatureWarning(source.file) };
  });
}

/** /Rotate of a page after a turn: left out where it is 0 and no node above the page says otherwise. */
function turned(page: Page, angle: number, turnedAbove: boolean): ReadonlyMap<string, string | undefined> {
  const degrees = (page.rotate + angle + 360) % 360;
  return new Map([['Rotate', degrees !== 0 || turnedAbove ? String(degrees) : undefined]]);
}
