/** A PDF of objects from number 1; 1 is the catalog, 2 the page tree. Streams have their bytes in `stream`. */
export function rawPdf(objects: readonly (string | { dict: string; stream: string })[]): Uint8Array {
  let text = '%PDF-1.7\n';
  const places: number[] = [];
  for (const [i, object] of objects.entries()) {
    places.push(text.length);
    const body =
      typeof object === 'string'
        ? object
        : `<<${object.dict}/Length ${object.stream.length}>>\nstream\n${object.stream}\nendstream`;
    text += `${i + 1} 0 obj\n${body}\nendobj\n`;
  }
  const start = text.length;
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  text += `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** One page with a content stream, a font /F (object 5) and more objects, from number 6, named in `resources`. */
export function pageOf(
  content: string,
  {
    font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    resources = '',
    page = '',
    more = [] as readonly (string | { dict: string; stream: string })[],
  } = {},
): Uint8Array {
  return rawPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>${resources}>>${page}>>`,
    { dict: '', stream: content },
    font,
    ...more,
  ]);
}
