// Checks JPEG 2000 pictures for PDF/A-2 (ISO 19005-2, 6.2.8.3), as far as their boxes tell (ISO 15444-1, annex I).

/** Why a picture is not allowed; undefined where it is. */
export function jpxFault(bytes: Uint8Array, hasColorSpace: boolean): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // A bare codestream has no boxes.
  if (view.byteLength < 12 || view.getUint32(4) !== 0x6a502020) return undefined;
  const specs: { method: number; approx: number; space: number }[] = [];
  let channels = 0;
  const read = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to; ) {
      const length = view.getUint32(at) || to - at;
      const type = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1');
      const end = Math.min(to, at + Math.max(8, length));
      if (type === 'jp2h') read(at + 8, end);
      if (type === 'ihdr' && at + 22 <= end) channels = view.getUint16(at + 16);
      if (type === 'bpcc') channels = Number.NaN;
      if (type === 'colr' && at + 11 <= end) {
        const method = view.getUint8(at + 8);
        const space = method === 1 && at + 15 <= end ? view.getUint32(at + 11) : 0;
        specs.push({ method, approx: view.getUint8(at + 10), space });
      }
      at = end;
    }
  };
  read(0, view.byteLength);
  if (Number.isNaN(channels)) return 'a JPEG 2000 picture has channels of several depths';
  if (channels === 0 || channels > 5) return `a JPEG 2000 picture has ${channels} channels`;
  if (hasColorSpace) return undefined;
  const chosen = specs.length > 1 ? specs.filter(({ approx }) => approx === 1) : specs;
  const [spec] = chosen;
  if (spec === undefined || chosen.length !== 1) return 'a JPEG 2000 picture does not say what its colours are';
  if (spec.method > 3 || spec.space === 19) return 'a JPEG 2000 picture has colours of a kind that PDF/A has not';
  return undefined;
}
