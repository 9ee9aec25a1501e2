import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, Clock, Context } from '../../contract/base/ports.ts';
import { field, say } from '../../contract/base/wording.ts';
import { type Colour, parseColour } from '../../pdf/content/colour.ts';
import { embeddedFont, MOST_FONT_FILE } from '../../pdf/edit/fonts/embedded-font.ts';
import { fontFor } from '../../pdf/edit/fonts/font-choice.ts';
import type { PageFont } from '../../pdf/edit/fonts/page-font.ts';
import { claimsOf } from '../../pdf/file/read/claims.ts';
import { fill, onDisk } from '../../pdf/file/read/random-access.ts';
import type { Source } from '../../pdf/file/read/source.ts';

/** The font for the texts of an operation: from a file, one of the standard fourteen, or a substitute for it. */
export async function chosenFont(
  { font, font_file: file }: { readonly font: string; readonly font_file?: ByteSource | undefined },
  texts: Iterable<string>,
  { fontFile }: Context,
  sources: readonly Source[],
): Promise<PageFont> {
  // PDF/A and PDF/UA require all fonts to be embedded.
  const embed = sources.some((source) => claimsOf(source.file).length > 0);
  return file === undefined ? fontFor([...texts].join(''), font, fontFile, embed) : fontOfFile(file);
}

export function fontOfFile(source: ByteSource): PageFont {
  const { size } = onDisk(source);
  if (size > MOST_FONT_FILE) {
    throw new Failure('unprocessable', `${source.name} is larger than any font: ${size} bytes`, { kind: 'limit' });
  }
  const bytes = new Uint8Array(size);
  return embeddedFont(source.name, bytes.subarray(0, fill(onDisk(source), bytes, 0)));
}

export function readColour(text: string): Colour {
  const colour = parseColour(text);
  if (colour !== undefined) return colour;
  throw new Failure('usage', say`${field('color')}: expected a name such as red, or #rrggbb, found '${text}'`);
}

/** The date in UTC, such as 2026-11-22. */
export function dayOf(clock: Clock): string {
  return new Date(clock.now()).toISOString().slice(0, 10);
}
