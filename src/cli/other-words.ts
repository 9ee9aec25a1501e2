import { rangeIssue } from '../contract/page-range.ts';

// Commands and options of other programs (qpdf, pdftk, pdfcpu, mutool, poppler, sejda …), with the line that does the
// same here.

/** FILE stands for the file that was named with the word. */
const LINES: Readonly<Record<string, string>> = {
  'pages take FILE 1-3':
    'extract, extract-pages, select, select-pages, keep, keep-pages, take, pick, pages extract, pages select, pages keep, pages split, trim, collect, subset',
  'pages drop FILE 2,5':
    'delete, delete-pages, remove-pages, drop, remove, exclude, pages delete, pages remove, pages rm, rm',
  'pages reverse FILE': 'reverse, reverse-pages, backwards',
  'pages order FILE 3,1,2': 'order, reorder, rearrange, sort, organize, move, move-pages, pages move, pages reorder',
  'merge a.pdf b.pdf -o all.pdf':
    'cat, concat, concatenate, join, combine, unite, pdfunite, append, bind, mergepdf, shuffle',
  'merge fronts.pdf backs.pdf --interleave': 'collate, interleave, zip, alternate, altmix, mix',
  'split FILE': 'burst, separate, pdfseparate, explode, cut, unmerge, divide, splitpdf',
  'split FILE --by-bookmark': 'split-by-bookmarks, splitbybookmarks, split-chapters',
  'rotate FILE --angle 90': 'rotate-pages, turn, pages rotate, rotatepages, orientation',
  'encrypt FILE --user-password-file password.txt':
    'lock, password, secure, set-password, add-password, protection, changeupw, changeopw, setpermissions, permissions',
  'decrypt FILE': 'unlock, unprotect, remove-password, unsecure, unrestrict, strip-password',
  'meta show FILE': 'metadata, properties, dump_data, dump-data, exif, docinfo, meta get, meta list, meta view',
  'meta set FILE --title TEXT':
    'set-metadata, update_info, update-info, set-title, title, meta update, meta edit, meta add, setmetadata',
  'meta clear FILE': 'strip-metadata, remove-metadata, anonymize, meta remove, meta delete, meta strip',
  'bookmarks show FILE':
    'toc, outline, outlines, list-bookmarks, bookmarks list, bookmarks get, bookmarks export, bookmarks dump',
  'bookmarks set FILE --bookmarks @toc.txt':
    'add-bookmarks, set-toc, bookmarks import, bookmarks add, bookmarks load, bookmarks update',
  'bookmarks clear FILE': 'remove-bookmarks, bookmarks remove, bookmarks delete',
  'labels set FILE --labels 1:r,5:D': 'pagelabels, page-labels, set-page-labels, labels add, labels update',
  'labels clear FILE': 'labels remove, labels delete',
  'attach list FILE': 'attachments, attachment, pdfdetach, files, portfolio, attach show, attach ls',
  'attach add FILE data.csv': 'attach_files, attach-files, embed, add-attachment, attach file, attach set',
  'attach extract FILE':
    'unpack_files, unpack-files, detach, extract-attachments, attach get, attach take, attach save',
  'attach remove FILE --all': 'remove-attachments, attach clear, attach delete, attach rm',
  'stamp FILE --text Draft --opacity 0.2 --rotation 45':
    'watermark, add-watermark, header, footer, text-stamp, multistamp',
  'stamp FILE --pdf letterhead.pdf --under': 'background, multibackground, letterhead, underlay',
  'number FILE': 'paginate, page-numbers, add-page-numbers, numbering, pages number',
  'number FILE --format A{page:6}': 'bates, bates-number, bates-numbering',
  'form show FILE': 'dump_data_fields, fields, formfields, list-fields, form list, form export, form fields',
  'form fill FILE --data data.json': 'fill, fill_form, fill-form, fillform, form set, form import',
  'form flatten FILE': 'flatten, flatten-form',
  'nup FILE --per-sheet 4': 'imposition, impose, pages-per-sheet, 2up, 4up, pdfnup',
  'crop FILE --auto': 'pdfcrop, cropbox, trim-margins, boxes, pages crop',
  'resize FILE --paper A4': 'scale, paper, fit-page, pages resize',
  'blank FILE --after 1': 'insert-blank, add-blank, insert, pages insert, pages blank',
  'pages take FILE 1-z': 'repair, fix, recover',
  'extract-text FILE': 'search, grep, find, pdfgrep, to-text, pdftotext, totext, get-text, txt, extracttext, read',
  'archive FILE': 'pdfa, pdf-a, pdf/a, to-pdfa, convert-pdfa, archival, pdfa-convert',
  'optimize FILE --linearize': 'linearize, web-optimize, fast-web-view, linearise, optimise',
  'narrate FILE': 'video, slides, to-video, to-mp4, presentation',
  'compress FILE': 'shrink, reduce, minify, squeeze, ebook, downsample, smaller',
  'compare a.pdf b.pdf': 'compare-pdf, diff-pdf, comparepdf',
  'markdown FILE': 'to-markdown, md, to-md, pdf2md',
  'to-json FILE': 'json',
  'to-images FILE':
    'pdftoppm, pdftocairo, to-png, to-jpg, to-jpeg, render, rasterize, convert, draw, pdf2image, thumbnail, screenshot, to-image',
  'images FILE': 'pdfimages, extract-images, extract-pictures, pictures, get-images',
  'images-to-pdf page1.jpg page2.jpg':
    'img2pdf, jpg-to-pdf, png-to-pdf, from-images, import, scan-to-pdf, image-to-pdf',
  'info FILE': 'pdfinfo, inspect, details, stat, stats, count, show, pdffonts, fonts, page-count',
  'check FILE': 'validate, verapdf, preflight, pdfa-check, check-pdfa, conformance, accessibility, pdfua',
  'invoice attach FILE XML': 'factur-x, facturx, zugferd, e-invoice, einvoice, xrechnung',
  'verify FILE': 'pdfsig, signatures, verify-signature, verify-signatures, check-signature',
  'sign FILE --key me.p12': 'esign, add-signature, digital-signature, signpdf, pdf-sign',
  'ocr FILE': 'recognize, recognise, searchable, ocrmypdf, add-text-layer',
  'merge FILE b.pdf --pages 1-3': 'merge-pages',
  'redact inspect FILE --find TEXT': 'sanitize, sanitise, blackout, black-out, censor, hide-text',
  'audiobook FILE': 'speak, tts, text-to-speech, read-aloud, listen, to-audio, to-mp3',
  'completion bash': 'completions, autocomplete',
  'auth login': 'login, signin',
  'auth logout': 'logout',
  help: 'man, usage',
};

const BY_WORD: ReadonlyMap<string, string> = new Map(
  Object.entries(LINES).flatMap(([line, words]) => words.split(', ').map((word) => [word, line] as const)),
);

/** All lines, for the test that each of them parses. */
export const OTHER_LINES: readonly string[] = Object.keys(LINES);

/** All words; none of them is a command here. */
export const OTHER_WORDS: readonly string[] = [...BY_WORD.keys()];

/** A name that needs no quoting in any shell. */
const PLAIN_NAME = /^[\w.+,@%/-]+$/;

/**
 * The line to type for a word of another program; undefined where it is unknown. `argv`: all that was typed. `family`:
 * the command before the word.
 */
export function lineFor(
  word: string,
  argv: readonly string[],
  commands: readonly string[],
  family?: string,
): string | undefined {
  const plain = word.toLowerCase().replace(/^-+/, '');
  const line = (family === undefined ? undefined : BY_WORD.get(`${family} ${plain}`)) ?? BY_WORD.get(plain);
  if (line === undefined || !commands.includes(line.split(' ', 1)[0] ?? '')) return undefined;
  const file = argv.find((word) => /\.pdf$/i.test(word) && PLAIN_NAME.test(word) && !word.startsWith('-'));
  const range = argv.find((word) => word !== file && /\d/.test(word) && rangeIssue(word) === undefined);
  const asked = range === undefined ? line : line.replace(/^(pages \w+ FILE) \S+$/, `$1 ${range}`);
  return `pdftool ${file === undefined ? asked : asked.replace('FILE', file)}`;
}

/** Options of other programs, by the command before them or `*`, with the option of the same meaning here. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  compress: { 'max-size': '--target 200KB', size: '--target 200KB', 'target-size': '--target 200KB' },
  encrypt: { password: '--user-password-file FILE', 'user-password': '--user-password-file FILE' },
  number: { bates: '--format A{page:6}', prefix: '--format A{page:6}' },
  '*': {
    password: '--password-file FILE',
    pw: '--password-file FILE',
    range: '--pages 1-3',
    'page-range': '--pages 1-3',
  },
};

/** Examples in the options above that are replaced by what was typed, where it is such a value. */
const TYPED: readonly (readonly [example: string, isSuch: (value: string) => boolean])[] = [
  ['200KB', (value) => /^\d+(\.\d+)?[kmg]?b?$/i.test(value)],
  ['1-3', (value) => rangeIssue(value) === undefined],
  ['A{', (value) => /^[a-z][\w-]*$/i.test(value)],
];

/** The option to type for one of another program, with the typed value; undefined where it is unknown. */
export function optionFor(word: string, command: string, argv: readonly string[]): string | undefined {
  const [name = '', behind] = word.replace(/^-+/, '').split('=');
  const option = OPTIONS[command]?.[name] ?? OPTIONS['*']?.[name];
  const typed = behind ?? argv[argv.indexOf(word) + 1] ?? '';
  const [example] = TYPED.find(([like, isSuch]) => option?.includes(like) && isSuch(typed)) ?? [];
  return example === undefined ? option : option?.replace(example, example === 'A{' ? `${typed}{` : typed);
}
