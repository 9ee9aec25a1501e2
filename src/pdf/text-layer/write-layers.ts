// Text layers that are appended to a document: pages keep their content, byte for byte, behind a stream that shows nothing.
import { deflateSync } from 'node:zlib';
import { contentsOf, wholeDictOfPage } from '../file/read/page-dict.ts';
import type { Page } from '../file/read/page-tree.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Update } from '../file/write/update.ts';
import { viewOf } from '../page/view.ts';
import { serialize } from '../syntax/serialize.ts';
import { Dict, Ref, type Value } from '../syntax/values.ts';
import { writeFont } from './glyphless-font.ts';
import { type PlacedWord, textLayer } from './layer.ts';

export interface Layer {
  readonly lines: readonly (readonly PlacedWord[])[];
  /** Radians by which the page's content is turned, counter-clockwise, about its middle. */
  readonly turn?: number;
  /** Quarter turns clockwise by which the page is shown turned from now on; the words are where they are then. */
  readonly quarters?: number;
}

export class LayerWriter {
  private readonly file: PdfFile;
  private readonly update: Update;
  private font: number | undefined;

  constructor(file: PdfFile, update: Update) {
    this.file = file;
    this.update = update;
  }

  size(page: Page): { readonly width: number; readonly height: number } {
    return viewOf(this.file, wholeDictOfPage(this.file, page), page.rotate);
  }

  /** Adds a layer to a page; `contents`: what is shown instead of its own content. */
  add(page: Page, layer: Layer, contents?: readonly Uint8Array[]): void {
    const { file, update } = this;
    if (update.has(page.num)) return;
    const dict = wholeDictOfPage(file, page);
    const { quarters = 0 } = layer;
    const rotate = quarters === 0 ? page.rotate : (page.rotate + 90 * quarters) % 360;
    const view = viewOf(file, dict, rotate);
    if (rotate !== page.rotate) dict.set('Rotate', rotate);
    const fonts = file.dict(file.dict(dict.get('Resources'))?.get('Font')) ?? new Dict();
    let name = 'PdftoolOcr';
    while (fonts.has(name)) name += 'X';
    const own = contents === undefined ? [...contentsOf(file, dict)] : contents.map((bytes) => this.stream(bytes));
    const turned = layer.turn === undefined || layer.turn === 0 ? own : this.around(own, layer.turn, dict);
    const text = Buffer.from(textLayer(layer.lines, view.transform, name), 'latin1');
    // In front: whatever the page's own content does to the state of things, this is not touched by it.
    dict.set('Contents', [...(layer.lines.length === 0 ? [] : [this.stream(text)]), ...turned]);
    if (layer.lines.length > 0) {
      this.font ??= writeFont(update);
      const resources = new Dict(file.dict(dict.get('Resources')) ?? []);
      resources.set('Font', new Dict([...fonts, [name, new Ref(this.font, 0)]]));
      dict.set('Resources', resources);
    }
    update.object(
      page.num,
      serialize(dict, ({ num, gen }) => `${num} ${gen} R`),
    );
  }

  private around(contents: readonly Value[], turn: number, dict: Dict): Value[] {
    const [x, y] = this.middle(dict);
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const numbers = [cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos];
    const matrix = numbers.map((number) => Math.round(number * 1e6) / 1e6).join(' ');
    return [this.stream(Buffer.from(`q ${matrix} cm\n`)), ...contents, this.stream(Buffer.from('\nQ\n'))];
  }

  private middle(dict: Dict): [number, number] {
    const box = this.file.resolve(dict.get('CropBox') ?? dict.get('MediaBox'));
    const sides = Array.isArray(box) ? box.map((side) => Number(this.file.resolve(side))) : [];
    const [left = 0, bottom = 0, right = 612, top = 792] = sides;
    return [(left + right) / 2, (bottom + top) / 2];
  }

  private stream(bytes: Uint8Array): Ref {
    const num = this.update.allocate();
    this.update.stream(num, '/Filter/FlateDecode', deflateSync(bytes));
    return new Ref(num, 0);
  }
}
