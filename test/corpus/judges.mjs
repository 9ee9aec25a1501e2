import { execFile } from 'node:child_process';

const PATIENCE = 20_000;
/** Pictures fit into a square of this many pixels, whatever the size of the page. */
const SIDE = 300;

/**
 * What qpdf --check says.
 * @param {string} path
 * @returns {Promise<{ verdict: 'clean' | 'warns' | 'refuses' | 'silent', words: string }>} silent: it crashed or took too long
 */
export async function qpdfCheck(path) {
  const { status, stdout, stderr } = await run('qpdf', ['--check', path]);
  const words = `${stderr}${stdout}`.split('\n').find((line) => /WARNING|error|file/i.test(line)) ?? '';
  const verdict = { 0: 'clean', 2: 'refuses', 3: 'warns' }[status ?? -1] ?? 'silent';
  return { verdict, words: words.replaceAll(path, 'output').slice(0, 160) };
}

/** Pages that MuPDF finds, else Poppler; undefined where neither can tell. */
export async function countPages(path) {
  const mupdf = /^Pages: (\d+)/m.exec((await run('mutool', ['info', '-M', path])).stdout)?.[1];
  if (mupdf !== undefined) return Number(mupdf);
  const poppler = /^Pages:\s+(\d+)/m.exec((await run('pdfinfo', [path])).stdout)?.[1];
  return poppler === undefined ? undefined : Number(poppler);
}

/** Whether a file has a form, whose fields' values are not in the content of its pages. */
export async function hasForm(path) {
  return /^Form:\s+(AcroForm|XFA)/m.test((await run('pdfinfo', [path])).stdout);
}

/**
 * How far a page is turned, in degrees as they stand in the file; undefined where the judge cannot tell. Poppler takes
 * 90.0 for 0, and says 0 of a page that it cannot make; MuPDF takes a page without /Rotate for one that is not turned.
 * @param {'pdfinfo' | 'mutool'} judge
 */
export async function rotationOf(judge, path, page) {
  const number = String(page);
  if (judge === 'mutool') {
    const { status, stdout } = await run('mutool', ['pages', path, number]);
    return status === 0 && /<page /.test(stdout) ? Number(/<Rotate v="(-?\d+)"/.exec(stdout)?.[1] ?? 0) : undefined;
  }
  const { stdout, stderr } = await run('pdfinfo', ['-f', number, '-l', number, path]);
  const found = /rot:\s+(-?\d+)/.exec(stdout)?.[1];
  return found === undefined || /Failed to create page/.test(stderr) ? undefined : Number(found);
}

/**
 * Whether a painter or a reader has the page at all. MuPDF paints the last page it knows for any beyond it and an empty one for what
 * it takes for no page; Poppler paints one pixel.
 * @param {'mutool' | 'pdftoppm' | 'pdftotext'} judge the last two are Poppler
 */
export async function hasPage(judge, path, page) {
  const number = String(page);
  if (judge === 'mutool') {
    const { stdout, stderr } = await run('mutool', ['pages', path]);
    return !/non-page object/.test(stderr) && (stdout.match(/<page /g)?.length ?? 0) >= page;
  }
  const { stdout } = await run('pdfinfo', ['-f', number, '-l', number, path]);
  return !/size:\s+0 x 0 pts/.test(stdout) && Number(/^Pages:\s+(\d+)/m.exec(stdout)?.[1] ?? 0) >= page;
}

/**
 * A page as a picture in grey.
 * @typedef {{ width: number, height: number, pixels: Uint8Array }} Picture
 * @param {'mutool' | 'pdftoppm'} painter
 * @returns {Promise<Picture | undefined>} undefined where the painter gives none
 */
export async function paint(painter, path, page) {
  const side = String(SIDE);
  const number = String(page);
  const args =
    painter === 'mutool'
      ? ['draw', '-q', '-w', side, '-h', side, '-c', 'gray', '-F', 'pgm', '-o', '-', path, number]
      : ['-gray', '-scale-to', side, '-f', number, '-l', number, path];
  const { status, bytes } = await run(painter, args);
  return status === 0 ? readPgm(bytes) : undefined;
}

/**
 * The text of a page without its white space; undefined where the reader does not get through the page.
 * @param {'pdftotext' | 'mutool'} reader
 */
export async function readText(reader, path, page) {
  const number = String(page);
  const args =
    reader === 'mutool'
      ? ['draw', '-q', '-F', 'txt', '-o', '-', path, number]
      : ['-raw', '-f', number, '-l', number, path, '-'];
  const { status, bytes } = await run(reader, args);
  return status === 0 ? bytes.toString('utf8').replace(/\s+/g, '') : undefined;
}

function readPgm(bytes) {
  const head = /^P5\s+(?:#[^\n]*\n\s*)*(\d+)\s+(\d+)\s+255\s/.exec(bytes.subarray(0, 200).toString('latin1'));
  if (head === null) return undefined;
  const [all, width, height] = [head[0], Number(head[1]), Number(head[2])];
  const pixels = bytes.subarray(all.length, all.length + width * height);
  return pixels.length === width * height ? { width, height, pixels } : undefined;
}

/** @returns {Promise<{ status: number | undefined, bytes: Buffer, stdout: string, stderr: string }>} */
function run(program, args) {
  const options = { encoding: 'buffer', timeout: PATIENCE, killSignal: 'SIGKILL', maxBuffer: 64 << 20 };
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, bytes, words) => {
      if (error?.code === 'ENOENT') throw new Error(`${program} is not installed; the corpus is judged by it`);
      const status = child.exitCode ?? undefined;
      resolve({ status, bytes, stdout: bytes.toString('latin1'), stderr: words.toString('latin1') });
    });
    child.stdin.end();
  });
}
