import { operands } from '../../content/operands.ts';
import type { Source } from '../../file/read/source.ts';
import { type PageSpace, toUserSpace } from '../../page/space.ts';
import { packed } from '../content/picture-editor.ts';
import type { Overlay } from '../output/build-document.ts';
import { plainCopy, type Tools } from '../output/plain-copy.ts';
import { closing, drawn, type RgbDrawing } from '../probe/page-probe.ts';
import { sizeAt } from '../probe/pixels.ts';
import type { Region } from '../regions.ts';

/** A copy with numbered outlines of the regions, whose content is still there. */
export async function reviewPdf(source: Source, regions: readonly Region[], tools: Tools): Promise<Uint8Array> {
  const overlays = new Map<number, Overlay>();
  for (let page = 0; page < source.tree.pages.length; page++) {
    const numbered = regions.flatMap((region, i) => (region.page === page + 1 ? [{ region, number: i + 1 }] : []));
    if (numbered.length > 0)
      overlays.set(page, { font: FONT, content: (space) => numbered.map((region) => outline(region, space)).join('') });
  }
  const { bytes } = await plainCopy(source, tools, overlays);
  return bytes;
}

const FONT = 'CutNumber';

function outline({ region, number }: { region: Region; number: number }, space: PageSpace): string {
  const { x0, y0, x1, y1 } = toUserSpace(region, space);
  const angle = (space.rotate * Math.PI) / 180;
  const [cos, sin] = [Math.round(Math.cos(angle)), Math.round(Math.sin(angle))];
  // The top left corner on the displayed page.
  const [x, y] = { 0: [x0, y1], 90: [x0, y0], 180: [x1, y0], 270: [x1, y1] }[space.rotate] ?? [x0, y1];
  const at = operands([cos, sin, -sin, cos, (x ?? 0) - sin, (y ?? 0) + cos]);
  return `q 0.85 0 0 RG 0.8 w ${operands([x0, y0, x1 - x0, y1 - y0])} re S 0.85 0 0 rg BT /${FONT} 7 Tf ${at} Tm (${number}) Tj ET Q\n`;
}

export interface PageView {
  readonly width: number;
  readonly height: number;
  readonly drawing: RgbDrawing;
}

const DPI = 110;

export async function eachPage(
  source: Source,
  tools: Tools,
  use: (view: PageView, page: number) => Promise<void>,
): Promise<void> {
  const { bytes, spaces } = await plainCopy(source, tools);
  await closing(await tools.openProbe(bytes), async (probe) => {
    for (const [page, space] of spaces.entries()) {
      tools.progress('draw', page, spaces.length);
      await tools.yieldNow();
      const drawing = await drawn(probe, page, sizeAt(space, DPI));
      await use({ width: space.width, height: space.height, drawing }, page);
    }
  });
}

/** Samples for a picture file: grey where there is no colour. */
export function samplesOf({ width, height, rgb }: RgbDrawing): { channels: 1 | 3; pixels: Uint8Array } {
  const { gray, bits, bytes } = packed(rgb, width, height);
  if (!gray) return { channels: 3, pixels: rgb };
  if (bits === 8) return { channels: 1, pixels: bytes };
  return { channels: 1, pixels: Uint8Array.from({ length: width * height }, (_, i) => rgb[i * 3]!) };
}
