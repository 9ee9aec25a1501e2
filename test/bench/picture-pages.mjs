import { closeSync, openSync, writeSync } from 'node:fs';

/** Writes a PDF of a picture a page to `path`, page by page: no more than one picture is held. */
export function openPicturePages(path) {
  const file = openSync(path, 'w');
  const offsets = [];
  let size = 0;
  const put = (data) => {
    size += writeSync(file, data);
  };
  const object = (number, ...parts) => {
    offsets[number] = size;
    put(`${number} 0 obj\n`);
    parts.forEach(put);
    put('\nendobj\n');
  };
  const pages = [];
  put('%PDF-1.4\n%\u00e2\u00e3\n');
  return {
    get size() {
      return size;
    },
    /** `entries`: of the picture's dictionary, but for its length. `sides`: of the page, in points. */
    addPage({ data, entries, sides: [width, height] }) {
      const first = 3 + 3 * pages.length;
      pages.push(first);
      const content = `q ${width} 0 0 ${height} 0 0 cm /I Do Q`;
      object(
        first,
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Resources<</XObject<</I ${first + 1} 0 R>>>>/Contents ${first + 2} 0 R>>`,
      );
      object(first + 1, `<</Type/XObject/Subtype/Image${entries}/Length ${data.length}>>stream\n`, data, '\nendstream');
      object(first + 2, `<</Length ${content.length}>>stream\n${content}\nendstream`);
    },
    close() {
      object(1, '<</Type/Catalog/Pages 2 0 R>>');
      object(2, `<</Type/Pages/Kids[${pages.map((each) => `${each} 0 R`).join(' ')}]/Count ${pages.length}>>`);
      const start = size;
      const rows = offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
      put(
        `xref\n0 ${offsets.length}\n0000000000 65535 f \n${rows.join('')}trailer<</Size ${offsets.length}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
      );
      closeSync(file);
    },
  };
}
