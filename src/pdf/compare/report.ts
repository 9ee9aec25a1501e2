// A page to look at: both pages and what differs, side by side, with nothing to be fetched from elsewhere.
export interface ReportPage {
  readonly page: number;
  /** Why it is shown, as one line. */
  readonly what: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** PNG files: the first, the second, what differs; left out where a page is not there. */
  readonly pictures: readonly (Uint8Array | undefined)[];
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem;color:#222;background:#f4f4f4}
h1{font-size:1.3rem}h2{font-size:1.05rem;margin:2rem 0 .5rem}
.row{display:grid;grid-template-columns:repeat(3,1fr);gap:1rem}
figure{margin:0}figcaption{color:#555;font-size:.85rem}
img{width:100%;background:#fff;border:1px solid #bbb}
del{background:#fdd;text-decoration:line-through}ins{background:#dfd;text-decoration:none}
del,ins{padding:0 .2em;margin-right:.3em;border-radius:.2em}
@media (prefers-color-scheme:dark){body{background:#1b1b1b;color:#ddd}del{background:#622}ins{background:#252}figcaption{color:#aaa}}`;

export function reportHead(first: string, second: string, summary: string): string {
  const title = `${escaped(first)} and ${escaped(second)}`;
  // Pictures come with the page, and nothing may run in it.
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title><style>${STYLE}</style></head>
<body><h1>${title}</h1><p>${escaped(summary)}</p>
`;
}

export function reportPage({ page, what, removed, added, pictures }: ReportPage, names: readonly string[]): string {
  const figures = [...names, 'what differs'].map((name, i) => {
    const picture = pictures[i];
    const image =
      picture === undefined
        ? '<p>no such page</p>'
        : `<img alt="page ${page}: ${escaped(name)}" src="data:image/png;base64,${Buffer.from(picture).toString('base64')}">`;
    return `<figure>${image}<figcaption>${escaped(name)}</figcaption></figure>`;
  });
  const words = [
    ...removed.map((word) => `<del>${escaped(word)}</del>`),
    ...added.map((word) => `<ins>${escaped(word)}</ins>`),
  ];
  const notes = words.length === 0 ? '' : `<p>${words.join(' ')}</p>\n`;
  const row = pictures.every((shown) => shown === undefined) ? '' : `<div class="row">${figures.join('')}</div>\n`;
  return `<h2>Page ${page}: ${escaped(what)}</h2>\n${notes}${row}`;
}

export const REPORT_END = '</body></html>\n';

function escaped(text: string): string {
  return (
    text
      .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
      // HTML allows no control characters.
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
  );
}
