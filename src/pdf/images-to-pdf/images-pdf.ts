import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, Context, Draft, RandomAccess } from '../../contract/base/ports.ts';
import { onDisk } from '../file/read/random-access.ts';
import { Fingerprint } from '../file/write/fingerprint.ts';
import { Writer } from '../file/write/writer.ts';
import { place } from '../images/place.ts';
import { PictureReader } from '../images/read-picture.ts';
import { PictureWriter } from '../images/write-picture.ts';
import { PAPER } from '../page/paper.ts';
import { decimalText } from '../syntax/serialize.ts';

export interface PageChoice {
  readonly size: 'fit' | 'A4' | 'Letter';
  /** Points around each picture. */
  readonly margin: number;
  /** Pixels to the inch, whatever the files say. */
  readonly dpi: number | undefined;
}

/** Writes the PDF; `draft` is not finished. Throws a Failure that names the first image that cannot be shown. */
export async function imagesPdf(
  sources: readonly ByteSource[],
  draft: Draft,
  choice: PageChoice,
  ctx: Context,
): Promise<void> {
  if (choice.margin < 0) throw new Failure('usage', `margin: expected 0 or more points, found ${choice.margin}`);
  const album = new Album(draft);
  for (const [done, source] of sources.entries()) {
    ctx.signal.throwIfAborted();
    ctx.progress({ phase: 'images', done, total: sources.length, unit: 'files', note: source.name });
    await album.add(onDisk(source), choice, ctx);
    // Lets an interrupt be seen between two images.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await album.finish();
}

class Album {
  private readonly writer: Writer;
  private readonly catalog: number;
  private readonly root: number;
  /** Written behind all pictures, side by side: whoever asks for a page of a large file reads little of it. */
  private readonly pages: { image: number; content: string; box: string }[] = [];
  private readonly print = new Fingerprint();
  private readonly reader = new PictureReader();
  private readonly pictures: PictureWriter;

  constructor(draft: Draft) {
    // A page is 150 bytes besides its picture: too few for an object stream, which takes 5 ms to begin and to read again.
    this.writer = new Writer(draft, { version: '1.5', objectStreams: false });
    this.pictures = new PictureWriter(this.writer);
    this.catalog = this.writer.allocate();
    this.root = this.writer.allocate();
  }

  async add(source: RandomAccess, choice: PageChoice, ctx: Context): Promise<void> {
    const read = this.reader.read(source);
    const image = await this.pictures.write(read, source, ctx.signal);
    const { page, matrix } = place(read.picture, {
      ...choice,
      size: choice.size === 'fit' ? 'fit' : PAPER[choice.size],
    });
    const content = `q ${matrix.map((value) => decimalText(value, 4)).join(' ')} cm/I Do Q`;
    const box = `[0 0 ${decimalText(page[0], 4)} ${decimalText(page[1], 4)}]`;
    this.pages.push({ image, content, box });
    this.print.text(`${content}${box}`).number(source.size);
  }

  async finish(): Promise<void> {
    const { writer } = this;
    const kids: string[] = [];
    for (const { image, content, box } of this.pages) {
      const contents = this.pictures.stream('', [Buffer.from(content)]);
      const num = writer.allocate();
      const resources = `<</XObject<</I ${image} 0 R>>>>`;
      const entries = `/Parent ${this.root} 0 R/MediaBox${box}/Resources${resources}/Contents ${contents} 0 R`;
      await writer.object(num, `<</Type/Page${entries}>>`);
      kids.push(`${num} 0 R`);
    }
    await writer.object(this.root, `<</Type/Pages/Count ${kids.length}/Kids[${kids.join(' ')}]>>`);
    await writer.object(this.catalog, `<</Type/Catalog/Pages ${this.root} 0 R>>`);
    const id = this.print.hex();
    await writer.finish(`/Root ${this.catalog} 0 R/ID[<${id}><${id}>]`);
  }
}
