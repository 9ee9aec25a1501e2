export const PDF = 'application/pdf';
export const PNG = 'image/png';
export const JPEG = 'image/jpeg';
export const WEBP = 'image/webp';
export const ZIP = 'application/zip';
export const JSON_TYPE = 'application/json';
export const MARKDOWN = 'text/markdown';
export const HTML = 'text/html';
export const NDJSON = 'application/x-ndjson';
/** @public for the description of the service (derive/openapi). */
export const TEXT = 'text/plain';
export const MP3 = 'audio/mpeg';
export const WAV = 'audio/wav';
export const M4B = 'audio/mp4';
export const MP4 = 'video/mp4';
export const ANY = 'application/octet-stream';
export const TTF = 'font/ttf';
export const OTF = 'font/otf';
export const XML = 'text/xml';
export const CSV = 'text/csv';
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const FDF = 'application/vnd.fdf';
/** Certificates, in Base64 between lines that say so (RFC 7468). */
export const PEM = 'application/x-pem-file';
/** A key with its certificates (PKCS#12). */
export const P12 = 'application/x-pkcs12';

/** File name extensions, without the dot, of accepted files. The first is the one we write. */
export const EXTENSIONS: Record<string, readonly [string, ...string[]]> = {
  [PDF]: ['pdf'],
  [PNG]: ['png'],
  [JPEG]: ['jpg', 'jpeg'],
  [WEBP]: ['webp'],
  [ZIP]: ['zip'],
  [JSON_TYPE]: ['json'],
  [MARKDOWN]: ['md'],
  [HTML]: ['html'],
  [NDJSON]: ['jsonl'],
  [TEXT]: ['txt'],
  [MP3]: ['mp3'],
  [WAV]: ['wav'],
  [M4B]: ['m4b'],
  [MP4]: ['mp4'],
  [TTF]: ['ttf'],
  [OTF]: ['otf'],
  [XML]: ['xml'],
  [CSV]: ['csv', 'tsv'],
  [XLSX]: ['xlsx'],
  [FDF]: ['fdf'],
  [PEM]: ['pem', 'crt', 'cer'],
  [P12]: ['p12', 'pfx'],
};

/** The media type of a file name's extension; undefined where it is not known. */
export function typeNamed(name: string): string | undefined {
  const extension = /[^/\\]\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase();
  return Object.keys(EXTENSIONS).find((type) => extension !== undefined && EXTENSIONS[type]?.includes(extension));
}

/** The type of a file by its name, where it is one of `types`; else the first of them. */
export function typeAmong(name: string, types: readonly string[]): string | undefined {
  return types.find((type) => type === typeNamed(name)) ?? types[0];
}

/** Bytes examined at a file's start: readers accept `%PDF-` anywhere in the first 1,024 (ISO 32000-1, Annex H, 13). */
export const HEAD = 1024;

interface Kind {
  readonly words: string;
  readonly start: RegExp;
  readonly type?: string;
}

const KINDS: readonly Kind[] = [
  { words: 'a PNG image', type: PNG, start: /^\u0089PNG\r\n\u001a\n/ },
  { words: 'a JPEG image', type: JPEG, start: /^\u00ff\u00d8\u00ff/ },
  { words: 'a TrueType font', type: TTF, start: /^(\0\u0001\0\0|true)/ },
  { words: 'an OpenType font', type: OTF, start: /^OTTO/ },
  { words: 'a PDF file', type: PDF, start: /%PDF-/ },
  { words: 'a ZIP archive or an Office document', type: ZIP, start: /^PK[\u0003\u0005]/ },
  { words: 'HTML', start: /^<(!doctype html|html|head|body)|<html[\s>]/i },
  { words: 'a GIF image', start: /^GIF8/ },
  { words: 'a WebP image', start: /^RIFF....WEBP/s },
  { words: 'a TIFF image', start: /^(II\*\0|MM\0\*)/ },
  { words: 'a BMP image', start: /^BM/ },
  { words: 'a JPEG 2000 image', start: /^\0\0\0\x0cjP/ },
  { words: 'an HEIC or AVIF image', start: /^....ftyp/s },
  { words: 'an SVG drawing', start: /^(<\?xml[^>]*>\s*)?<svg[\s>]/i },
  { words: 'XML', start: /^<\?xml/ },
  { words: 'a gzip archive', start: /^\u001f\u008b/ },
  { words: 'PostScript', start: /^%!PS/ },
  { words: 'an old Office document', start: /^\u00d0\u00cf\u0011\u00e0/ },
  { words: 'an RTF document', start: /^\{\\rtf/ },
  { words: 'certificates in PEM', type: PEM, start: /-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/ },
  { words: 'JSON', start: /^\{/ },
  { words: 'text', start: /^[\t\n\f\r\x20-\x7e\x80-\xff]*$/ },
];

/** The first bytes as text, one character a byte, without a byte order mark and leading white space. */
export function headText(head: Uint8Array): string {
  return String.fromCharCode(...head.subarray(0, HEAD)).replace(/^(\u00ef\u00bb\u00bf)?[\t\n\f\r ]*/, '');
}

/** What a file's first bytes look like, with an article; undefined where no known type fits. */
export function looksLike(head: string): string | undefined {
  return kindOf(head)?.words;
}

/** The media type of a file's first bytes; undefined where no operation takes it. */
export function sniffedType(head: string): string | undefined {
  return kindOf(head)?.type;
}

/** Whether a file with these first bytes may be of a type; a ZIP with a PDF in it may be either. */
export function startsAs(head: string, type: string): boolean {
  return KINDS.some((kind) => kind.type === type && kind.start.test(head));
}

function kindOf(head: string): Kind | undefined {
  return KINDS.find(({ start }) => start.test(head));
}

/** Names that stand for devices on Windows, whatever their extension: a file of that name can be opened nowhere there. */
export function isDeviceName(name: string): boolean {
  return /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)\s*(\.|$)/i.test(name);
}
