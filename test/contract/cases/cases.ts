// What must hold wherever an operation runs, one case a line: as a command and, typed by hand from SERVICE.md, as a
// request. It must not import a row: a client and a server that share one misreading would agree with each other.

/** Inputs by name; the rigs make or find them. */
export type Input =
  | 'lorem.pdf'
  | 'guide.pdf'
  | 'locked.pdf'
  | 'scan.pdf'
  | 'cut.pdf'
  | 'page.png'
  | 'photo.jpg'
  | 'words.txt'
  | 'empty.pdf';

/** A request: its path and the parts besides the files, which are named `file`. */
interface Raw {
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** What must come out. Sizes in bytes; pages as another program counts them. */
export type Expected =
  | { readonly pdf: { readonly pages: number; readonly rotation?: number; readonly below?: number } }
  | { readonly zip: readonly string[] }
  | { readonly record: Readonly<Record<string, unknown>> }
  | { readonly text: RegExp }
  /** The exit codes of both engines and the status; what the message says. */
  | {
      readonly fails: {
        readonly local: number;
        readonly remote: number;
        readonly status: number;
        readonly says: RegExp;
      };
    };

export interface Case {
  /** The command's name and flags; inputs come behind it. */
  readonly args: readonly string[];
  readonly inputs: readonly Input[];
  /** Files besides, by the name of their field. */
  readonly others?: Readonly<Record<string, Input>>;
  /** Passwords, which the command takes from its environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly raw: Raw;
  readonly expected: Expected;
}

const on =
  (path: string) =>
  (args: readonly string[], inputs: readonly Input[], expected: Expected, fields?: Raw['fields']): Case => ({
    args,
    inputs,
    raw: { path: `/api/v1/${path}`, ...(fields === undefined ? {} : { fields }) },
    expected,
  });

const [info, merge, split, rotate] = ['pdf-info', 'merge', 'split', 'rotate'].map(on) as [On, On, On, On];
const [compress, mergeCompress, images, smallImages] = [
  'compress',
  'merge-compress',
  'images-to-pdf',
  'images-to-pdf-compress',
].map(on) as [On, On, On, On];
const [text, json, markdown] = ['extract-text', 'pdf-to-json', 'pdf-structured-markdown'].map(on) as [On, On, On];
type On = ReturnType<typeof on>;

const pages = (count: number, rotation = 0): Expected => ({ pdf: { pages: count, rotation } });
/** Refused by what is in the file; 422 only where SERVICE.md declares it. */
const refused = (status: number, says: RegExp, exit = 6): Expected => ({
  fails: { local: exit, remote: exit, status, says },
});
/** Said by the command line before anything is sent. */
const usage = (says: RegExp): Expected => ({ fails: { local: 2, remote: 2, status: 400, says } });

/** Ranges that the engine counts: the command line has sent them. */
const beyond = (says: RegExp): Expected => ({ fails: { local: 2, remote: 6, status: 400, says } });

export const CASES: readonly Case[] = [
  info(['info'], ['lorem.pdf'], { record: { ok: true, page_count: 4 } }),
  info(['info'], ['cut.pdf'], { record: { ok: true, page_count: 4 } }),
  info(['info'], ['locked.pdf'], refused(400, /password/i, 7)),
  info(['info'], ['words.txt'], refused(400, /words\.txt.*expected a PDF|words\.txt.*no PDF|words\.txt/i)),
  info(['info'], ['empty.pdf'], refused(400, /empty/)),

  merge(['merge'], ['lorem.pdf', 'guide.pdf'], pages(90)),
  merge(['merge'], ['lorem.pdf', 'lorem.pdf', 'lorem.pdf'], pages(12)),
  merge(['merge'], ['lorem.pdf'], usage(/at least 2/)),
  merge(['merge'], ['lorem.pdf', 'locked.pdf'], refused(422, /locked\.pdf.*password|password.*locked\.pdf/i, 7)),
  merge(['merge'], ['lorem.pdf', 'words.txt'], refused(400, /words\.txt/)),

  split(['split'], ['lorem.pdf'], { zip: ['page-001.pdf', 'page-002.pdf', 'page-003.pdf', 'page-004.pdf'] }),
  split(
    ['split', '--at-pages', '1,3'],
    ['lorem.pdf'],
    { zip: ['pages-001.pdf', 'pages-002-003.pdf', 'pages-004.pdf'] },
    { at_pages: '1,3' },
  ),
  split(
    ['split', '--ranges', '1-3,4-4'],
    ['lorem.pdf'],
    { zip: ['pages-001-003.pdf', 'pages-004.pdf'] },
    { ranges: '[[1,3],[4,4]]' },
  ),
  split(
    ['split', '--ranges', '1-2,3-3,1-2,3-4,3-3,3-3'],
    ['lorem.pdf'],
    {
      zip: [
        'pages-001-002.pdf',
        'pages-003.pdf',
        'pages-001-002-2.pdf',
        'pages-003-004.pdf',
        'pages-003-2.pdf',
        'pages-003-3.pdf',
      ],
    },
    { ranges: '[[1,2],[3,3],[1,2],[3,4],[3,3],[3,3]]' },
  ),
  split(['split', '--ranges', '3-1'], ['lorem.pdf'], usage(/ends before it starts|keep their order/), {
    ranges: '[[3,1]]',
  }),
  split(['split', '--at-pages', '1', '--ranges', '1-2'], ['lorem.pdf'], usage(/exclude each other/), {
    at_pages: '1',
    ranges: '[[1,2]]',
  }),
  split(
    ['split', '--at-pages', '9'],
    ['lorem.pdf'],
    { fails: { local: 2, remote: 2, status: 400, says: /there is no page 9/ } },
    { at_pages: '9' },
  ),

  on('pages-take')(['pages', 'take', '--pages', '3,1-2,3'], ['lorem.pdf'], pages(4), { pages: '3,1-2,3' }),
  on('pages-take')(['pages', 'take', '--pages', 'r2-'], ['lorem.pdf'], pages(2), { pages: 'r2-' }),
  on('pages-take')(['pages', 'take', '--pages', '9'], ['lorem.pdf'], beyond(/there is no page 9/), { pages: '9' }),
  on('pages-take')(['pages', 'take'], ['lorem.pdf'], usage(/PAGES|pages is missing/)),
  on('pages-drop')(['pages', 'drop', '--pages', '2'], ['lorem.pdf'], pages(3), { pages: '2' }),
  on('pages-drop')(['pages', 'drop', '--pages', '1-z'], ['lorem.pdf'], beyond(/none would be left/), { pages: '1-z' }),
  on('pages-reverse')(['pages', 'reverse'], ['lorem.pdf'], pages(4)),
  on('pages-order')(['pages', 'order', '--pages', '4,2'], ['lorem.pdf'], pages(4), { pages: '4,2' }),

  rotate(['rotate', '--angle', '90'], ['lorem.pdf'], pages(4, 90), { angle: '90' }),
  rotate(['rotate', '--angle=-90'], ['lorem.pdf'], pages(4, 270), { angle: '-90' }),
  rotate(['rotate', '--angle', '45'], ['lorem.pdf'], usage(/one of 90, 180, 270, -90, -180, -270/), { angle: '45' }),
  rotate(['rotate'], ['lorem.pdf'], usage(/angle/)),
  rotate(['rotate', '--angle', '90'], ['locked.pdf'], refused(422, /password/i, 7), { angle: '90' }),

  on('stamp-pdf')(['stamp', '--text', 'Draft', '--pages', '2'], ['lorem.pdf'], pages(4), { text: 'Draft', pages: '2' }),
  on('stamp-pdf')(['stamp'], ['lorem.pdf'], usage(/(needs|expected) (at least )?one of/)),
  on('stamp-pdf')(['stamp', '--text', 'x', '--pages', '9'], ['lorem.pdf'], usage(/there is no page 9/), {
    text: 'x',
    pages: '9',
  }),
  on('number-pdf')(['number'], ['lorem.pdf'], pages(4)),
  on('nup-pdf')(['nup', '--per-sheet', '2'], ['lorem.pdf'], pages(2), { per_sheet: '2' }),
  on('crop-pdf')(['crop', '--margin', '20'], ['lorem.pdf'], pages(4), { margin: '20' }),
  on('resize-pdf')(['resize', '--paper', 'A5'], ['lorem.pdf'], pages(4), { paper: 'A5' }),
  on('resize-pdf')(['resize'], ['lorem.pdf'], refused(400, /--width|width/, 2)),
  on('blank-pages')(['blank', '--after', '1'], ['lorem.pdf'], pages(5), { after: '1' }),
  on('optimize-pdf')(['optimize', '--linearize'], ['lorem.pdf'], pages(4), { linearize: 'true' }),
  on('meta-set')(['meta', 'set', '--title', 'T'], ['lorem.pdf'], pages(4), { title: 'T' }),
  on('meta-set')(['meta', 'set'], ['lorem.pdf'], usage(/(needs|expected) (at least )?one of/)),
  on('labels-clear')(['labels', 'clear'], ['lorem.pdf'], pages(4)),
  on('form-flatten')(['form', 'flatten'], ['lorem.pdf'], refused(422, /no form fields/)),
  on('form-fill')(['form', 'fill'], ['lorem.pdf'], usage(/(needs|expected) (at least )?one of/)),
  on('encrypt')(['encrypt'], ['lorem.pdf'], usage(/password/)),
  {
    ...on('encrypt')(['encrypt'], ['lorem.pdf'], pages(4), { owner_password: 'mine' }),
    env: { PDFTOOL_OWNER_PASSWORD: 'mine' },
  },
  on('decrypt')(['decrypt'], ['locked.pdf'], refused(422, /password/i, 7)),
  {
    ...on('decrypt')(['decrypt'], ['locked.pdf'], pages(4), { password: 'secret' }),
    env: { PDFTOOL_PDF_PASSWORD: 'secret' },
  },
  { ...on('overlay-pdf')(['overlay'], ['guide.pdf'], pages(86)), others: { pdf: 'lorem.pdf' } },
  { ...on('overlay-pdf')(['overlay'], ['lorem.pdf'], refused(400, /words\.txt/)), others: { pdf: 'words.txt' } },
  on('attach-add')(['attach', 'add'], ['lorem.pdf', 'words.txt'], pages(4)),
  on('attach-add')(['attach', 'add'], ['lorem.pdf'], usage(/at least 2|at least one more/)),
  on('attach-list')(['attach', 'list'], ['lorem.pdf'], { record: { ok: true } }),
  on('attach-extract')(['attach', 'extract'], ['lorem.pdf'], refused(422, /no (attach|files)/)),
  on('bookmarks-set')(['bookmarks', 'set', '--bookmarks', 'One\t1\n  Two\t2'], ['lorem.pdf'], pages(4), {
    bookmarks: 'One\t1\n  Two\t2',
  }),
  on('bookmarks-show')(['bookmarks', 'show'], ['guide.pdf'], { record: { ok: true } }),
  on('bookmarks-clear')(['bookmarks', 'clear'], ['guide.pdf'], pages(86)),
  on('compare-pdfs')(
    ['compare', '--text'],
    ['lorem.pdf', 'lorem.pdf'],
    { record: { ok: true, same: true } },
    {
      text: 'true',
    },
  ),
  on('compare-pdfs')(['compare'], ['lorem.pdf'], usage(/at least 2|expected 2 parts/)),

  compress(['compress'], ['guide.pdf'], { pdf: { pages: 86, below: 321_087 } }),
  compress(
    ['compress', '--target-bytes', '102400'],
    ['guide.pdf'],
    { pdf: { pages: 86, below: 321_087 } },
    { target_bytes: '102400' },
  ),
  compress(['compress', '--target-bytes', '0'], ['guide.pdf'], usage(/at least 1/), { target_bytes: '0' }),
  compress(['compress'], ['words.txt'], refused(400, /words\.txt/)),
  mergeCompress(['merge-compress'], ['lorem.pdf', 'guide.pdf'], { pdf: { pages: 90 } }),
  mergeCompress(['merge-compress'], ['lorem.pdf'], usage(/at least 2|2 to 20/)),
  images(['images-to-pdf'], ['page.png', 'photo.jpg'], pages(2)),
  images(['images-to-pdf'], ['lorem.pdf'], refused(400, /lorem\.pdf.*PNG or JPEG/)),
  smallImages(['images-to-pdf-compress'], ['photo.jpg', 'page.png'], { pdf: { pages: 2 } }),

  text(['extract-text'], ['lorem.pdf'], { text: /Lorem ipsum/ }),
  text(['extract-text'], ['scan.pdf'], refused(400, /no text/i)),
  text(['extract-text'], ['locked.pdf'], refused(400, /password/i, 7)),
  json(['to-json'], ['lorem.pdf'], { record: { ok: true, page_count: 4, extraction_mode: 'pdfjs_text_layer' } }),
  markdown(['markdown'], ['lorem.pdf'], { text: /^#+ .*/m }, { output_format: 'markdown' }),
  markdown(
    ['markdown', '--output-format', 'json', '--mode', 'academic'],
    ['lorem.pdf'],
    { record: { ok: true, mode: 'academic', page_count: 4 } },
    { output_format: 'json', mode: 'academic' },
  ),
  markdown(
    ['markdown', '--output-format', 'jsonl', '--mode', 'rag'],
    ['lorem.pdf'],
    { text: /^\{"chunk_id":/m },
    { output_format: 'jsonl', mode: 'rag' },
  ),
  markdown(
    ['markdown', '--output-format', 'source-pack', '--mode', 'rag'],
    ['lorem.pdf'],
    { zip: ['README.txt', 'document.md', 'chunks.jsonl', 'manifest.json'] },
    { output_format: 'source-pack', mode: 'rag' },
  ),
  markdown(
    ['markdown', '--output-format', 'source-pack'],
    ['lorem.pdf'],
    { fails: { local: 2, remote: 2, status: 400, says: /mode rag/ } },
    { output_format: 'source-pack' },
  ),
  markdown(['markdown', '--output-format', 'source-pack', '--mode', 'rag'], ['scan.pdf'], refused(422, /no text/i), {
    output_format: 'source-pack',
    mode: 'rag',
  }),
];
