import { Failure } from '../../contract/failure.ts';
import { LIMITS } from '../../contract/limits.ts';
import { plain } from '../../wire/plain.ts';

type Options = Readonly<Record<string, unknown>>;

const INSPECT = ['mode', 'find', 'regex', 'kinds', 'ocr'];
const APPLY = ['mode', 'reviewed', 'sourceSha256', 'regions', 'label', 'fill', 'strict', 'raster'];
const KINDS = ['email', 'phone', 'card', 'iban', 'ssn'];
const MOST_WANTED = 200;
const MOST_TEXT = 1_000;

/** The options of a redaction job: what cannot be right is refused before anything is uploaded. */
export function checkRedaction(options: Options): Record<string, unknown> {
  const { mode } = options;
  if (mode !== 'inspect' && mode !== 'apply') throw refuse('options.mode: expected inspect or apply');
  const known = mode === 'inspect' ? INSPECT : APPLY;
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw refuse(`unknown option '${plain(unknown)}'; expected ${known.join(', ')}`);
  if (mode === 'inspect') checkInspect(options);
  else checkApply(options);
  return { ...options };
}

function checkInspect(options: Options): void {
  for (const name of ['find', 'regex', 'kinds']) {
    const value = options[name];
    const list: unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
    const isText = (item: unknown) => typeof item === 'string' && item !== '' && item.length <= MOST_TEXT;
    if (list.length > MOST_WANTED || !list.every(isText))
      throw refuse(`options.${name}: expected at most ${MOST_WANTED} texts of 1 to ${MOST_TEXT} characters`);
    if (name === 'kinds' && !list.every((item) => KINDS.includes(String(item))))
      throw refuse(`options.kinds: expected some of ${KINDS.join(', ')}`);
  }
  if (options.ocr !== undefined && typeof options.ocr !== 'boolean')
    throw refuse('options.ocr: expected true or false');
  if (options.find === undefined && options.regex === undefined && options.kinds === undefined)
    throw refuse('options: expected find, regex or kinds');
}

function checkApply({ reviewed, sourceSha256, regions, label, fill, strict, raster }: Options): void {
  if (reviewed !== true) throw refuse('options.reviewed: expected true; findings are never applied on their own');
  if (typeof sourceSha256 !== 'string' || !/^[0-9a-f]{64}$/i.test(sourceSha256))
    throw refuse('options.sourceSha256: expected the hash of the inspected file, 64 hexadecimal digits');
  const { redactionRegionsMin: min, redactionRegionsMax: max } = LIMITS;
  if (!Array.isArray(regions) || regions.length < min || regions.length > max)
    throw refuse(
      `options.regions: expected ${min} to ${max}, found ${Array.isArray(regions) ? regions.length : 'none'}`,
    );
  for (const [i, region] of regions.entries())
    if (!isRegion(region)) throw refuse(`options.regions: entry ${i + 1} is no region`);
  for (const [name, value] of Object.entries({ label, fill }))
    if (value !== undefined && (typeof value !== 'string' || value.length > 60))
      throw refuse(`options.${name}: expected text`);
  for (const [name, value] of Object.entries({ strict, raster }))
    if (value !== undefined && typeof value !== 'boolean') throw refuse(`options.${name}: expected true or false`);
}

/** A box of a displayed page; whether there is such a page, the work finds out. */
function isRegion(region: unknown): boolean {
  if (typeof region !== 'object' || region === null) return false;
  const { page, x, y, w, h } = region as Options; // an object, just checked
  const isPart = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;
  return (
    Number.isInteger(page) && Number(page) >= 1 && isPart(x) && isPart(y) && isPart(w) && isPart(h) && w > 0 && h > 0
  );
}

function refuse(why: string): Failure {
  return new Failure('usage', `redaction: ${why}`);
}
