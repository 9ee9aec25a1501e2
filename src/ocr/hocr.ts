// Parses hOCR of tesseract: lines with baselines, words with boxes, in pixels from the top left.

type Box = readonly [left: number, top: number, right: number, bottom: number];

interface Word {
  readonly text: string;
  /** From 0 to 100. */
  readonly confidence: number;
  readonly box: Box;
}

export interface HocrLine {
  readonly words: readonly Word[];
  readonly box: Box;
  /** The baseline relative to the lower left corner of the box: its slope (positive falls), and its offset. */
  readonly slope: number;
  readonly offset: number;
  readonly size: number;
  /** The part of `size` below the baseline. */
  readonly descent: number;
  /** Degrees counter-clockwise by which the line is turned. */
  readonly turned: Turned;
}

type Turned = 0 | 90 | 180 | 270;

/** More words than any page has. */
const MOST_WORDS = 50_000;

const LINE = /<span class='ocr_(?:line|caption|header|textfloat)'[^>]*title="([^"]*)"/;
const WORD =
  /<span class='ocrx_word'[^>]*title='bbox (\d+) (\d+) (\d+) (\d+); x_wconf (\d+)[^']*'[^>]*>(.*?)<\/span>/gs;

export function readHocr(hocr: string): HocrLine[] {
  const lines: HocrLine[] = [];
  let words = 0;
  // Each piece but the first is one line.
  for (const piece of hocr.split(/(?=<span class='ocr_(?:line|caption|header|textfloat)')/)) {
    const title = LINE.exec(piece)?.[1];
    if (title === undefined) continue;
    const ofPiece = [...piece.matchAll(WORD)].flatMap(([, left, top, right, bottom, confidence, marked = '']) => {
      const text = plainText(marked);
      const box = [Number(left), Number(top), Number(right), Number(bottom)] as const;
      return text === '' || box[2] <= box[0] || box[3] <= box[1] ? [] : [{ text, confidence: Number(confidence), box }];
    });
    words += ofPiece.length;
    if (words > MOST_WORDS) break;
    if (ofPiece.length > 0)
      lines.push({ words: ofPiece, ...lineOf(title, turnOf(title, ofPiece) ?? lines.at(-1)?.turned ?? 0) });
  }
  return lines;
}

/** Turned lines have no baseline or a steep one; the order of words tells the direction. Undefined for a single word. */
function turnOf(title: string, words: readonly Word[]): Turned | undefined {
  const slope = /baseline (-?[\d.]+)/.exec(title)?.[1];
  if (slope !== undefined && Math.abs(Number(slope)) <= 1) return 0;
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const [right, down] = [last.box[0] - first.box[0], last.box[1] - first.box[1]];
  if (Math.abs(down) > Math.abs(right)) return down > 0 ? 270 : 90;
  return right < 0 ? 180 : 0;
}

function lineOf(title: string, turned: Turned): Omit<HocrLine, 'words'> {
  const numbers = (name: string) =>
    new RegExp(`${name}((?: -?[\\d.]+)+)`).exec(title)?.[1]?.trim().split(' ').map(Number) ?? [];
  const [left = 0, top = 0, right = 0, bottom = 0] = numbers('bbox');
  const [slope = 0, offset = 0] = numbers('baseline');
  const [size = bottom - top] = numbers('x_size');
  const [descent = 0] = numbers('x_descenders');
  return { box: [left, top, right, bottom], slope, offset, size, descent, turned };
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Text without tags (<strong>, <em>) and references; characters that a 16-bit font cannot hold are dropped. */
function plainText(marked: string): string {
  const text = marked
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
      return code <= 0xffff ? String.fromCharCode(code) : '';
    });
  return text.replace(/[\ud800-\udfff\x00-\x1f]/g, '').trim();
}
