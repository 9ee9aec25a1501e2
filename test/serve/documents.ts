import { randomBytes } from 'node:crypto';

/** A PDF of one page and about so many bytes, which cannot be packed. */
export function noisyPdf(bytes: number): Buffer {
  const noise = randomBytes(bytes).toString('latin1').replaceAll('endstream', '');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>',
    `<</Length ${noise.length}>>stream\n${noise}\nendstream`,
  ];
  let text = '%PDF-1.4\n';
  const rows = objects.map((object, index) => {
    const at = String(text.length).padStart(10, '0');
    text += `${index + 1} 0 obj${object}endobj\n`;
    return `${at} 00000 n \n`;
  });
  const table = `xref\n0 5\n0000000000 65535 f \n${rows.join('')}`;
  return Buffer.from(`${text}${table}trailer<</Root 1 0 R/Size 5>>\nstartxref\n${text.length}\n%%EOF\n`, 'latin1');
}

/** A form as bytes, for tests that write it to a socket by hand. Its boundary is XX. */
export function formBytes(file: Buffer, fields: Readonly<Record<string, string>> = {}): Buffer {
  const texts = Object.entries(fields).map(
    ([name, value]) => `\r\n--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
  );
  const head = '--XX\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
  return Buffer.concat([Buffer.from(head), file, Buffer.from(`${texts.join('')}\r\n--XX--\r\n`)]);
}
