/** A PDF of about so many bytes whose content cannot be packed. */
export function noisePdf(bytes) {
  const noise = Buffer.alloc(bytes - 1_000);
  for (let i = 0, seed = 1; i < noise.length; i += 1) noise[i] = 33 + ((seed = (seed * 48_271) % 2_147_483_647) % 90);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>',
    `<< /Length ${noise.length + 2} >>\nstream\n%${noise.toString('latin1')}\n\nendstream`,
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 5\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(`${text}${table}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`, 'latin1');
}
