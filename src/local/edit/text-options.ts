import { Failure } from '../../contract/failure.ts';
import type { ByteSource, Clock } from '../../contract/ports.ts';
import { type Colour, colourOf } from '../../pdf/colour.ts';
import { embeddedFont, MOST_FONT } from '../../pdf/edit/fonts/embedded-font.ts';
import type { PageFont } from '../../pdf/edit/fonts/page-font.ts';
import { standardFont } from '../../pdf/edit/fonts/standard-font.ts';
import { fill, onDisk } from '../../pdf/on-disk.ts';

/** The font of a file, or one of the fourteen. */
export async function readFont({
  font = 'Helvetica',
  font_file: source,
}: {
  readonly font?: string | undefined;
  readonly font_file?: ByteSource | undefined;
}): Promise<PageFont> {
  if (source === undefined) return standardFont(font);
  const { size } = onDisk(source);
  if (size > MOST_FONT) {
    throw new Failure('unprocessable', `${source.name} is larger than any font: ${size} bytes`, { kind: 'limit' });
  }
  const bytes = new Uint8Array(size);
  return embeddedFont(source.name, bytes.subarray(0, fill(onDisk(source), bytes, 0)));
}

export function readColour(text = 'black'): Colour {
  const colour = colourOf(text);
  if (colour !== undefined) return colour;
  throw new Failure('usage', `--color: expected a name such as red, or #rrggbb, found '${text}'`);
}

/** Without its folder. */
export function shortName(name: string): string {
  return name.replace(/^.*[/\\]/, '');
}

/** Such as 2026-11-22, in UTC. */
export function dayOf(clock: Clock): string {
  return new Date(clock.now()).toISOString().slice(0, 10);
}
