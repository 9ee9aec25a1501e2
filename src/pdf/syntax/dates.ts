// Converts dates (ISO 32000-1, 7.9.4): `D:20121015195618-07'00'`.

/** A PDF date in ISO 8601, with the same precision; undefined where it is no date. */
export function isoDate(text: string | null): string | undefined {
  const match = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?'?)?/.exec(text ?? '');
  if (match === null) return undefined;
  const [, year, month, day, hour, minute = '00', second = '00', utc, sign, hours, minutes = '00'] = match;
  const date = [year, month, day].filter((part) => part !== undefined).join('-');
  if (hour === undefined || day === undefined) return date;
  const zone = sign === undefined ? (utc ?? '') : `${sign}${hours}:${minutes}`;
  return `${date}T${hour}:${minute}:${second}${zone}`;
}

const ISO =
  /^(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01])(?:T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(?:(Z)|([+-])([01]\d|2[0-3]):?([0-5]\d))?)?)?)?$/;

/** Whether a text is an ISO 8601 date, from a bare year on. */
export function isIsoDate(text: string): boolean {
  return ISO.test(text);
}

/** An ISO 8601 date in PDF syntax; other text is returned unchanged. */
export function pdfDate(iso: string): string {
  const match = ISO.exec(iso);
  if (match === null) return iso;
  const [, year, month = '', day = '', hour = '', minute = '', second = '', utc, sign, hours, minutes] = match;
  const zone = utc !== undefined ? 'Z' : sign === undefined ? '' : `${sign}${hours}'${minutes}'`;
  return `D:${year}${month}${day}${hour}${minute}${hour === '' ? '' : second.padStart(2, '0')}${zone}`;
}
