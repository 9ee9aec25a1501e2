import { Failure } from '../../contract/base/failure.ts';
import type { Values } from '../../contract/base/ports.ts';
import { isWellFormed } from '../../contract/base/text.ts';
import { LIMITS } from '../../contract/limits.ts';
import { plain } from '../../wire/plain.ts';

const INSPECT = ['mode', 'find', 'regex', 'kinds', 'ocr'];
const APPLY = ['mode', 'reviewed', 'sourceSha256', 'regions', 'label', 'fill', 'strict', 'raster'];
const REGION = ['page', 'x', 'y', 'w', 'h', 'kind', 'id'];
const KINDS = ['email', 'phone', 'card', 'iban', 'ssn'];
const MOST_TERMS = 200;
const MOST_TEXT = 1_000;
/** Characters of a label, a colour, and the kind and id of a region. */
const MOST_WORD = 60;

/** Checks the options of a redaction job before anything is uploaded. */
export function checkRedaction(options: Values): Record<string, unknown> {
  const { mode } = options;
  if (mode !== 'inspect' && mode !== 'apply') throw refuse('options.mode: expected inspect or apply');
  assertKnown(options, mode === 'inspect' ? INSPECT : APPLY, 'option');
  if (mode === 'apply') {
    checkApply(options);
    return { ...options };
  }
  checkInspect(options);
  // SERVICE.md shows an inspect job with its mode alone.
  const isOpen = ['find', 'regex', 'kinds'].every((name) => options[name] === undefined);
  return isOpen ? { ...options, kinds: KINDS } : { ...options };
}

function checkInspect(options: Values): void {
  for (const name of ['find', 'regex', 'kinds']) {
    const value = options[name];
    const list: unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
    if (list.length > MOST_TERMS || !list.every((item) => item !== '' && isText(item, MOST_TEXT)))
      throw refuse(`options.${name}: expected at most ${MOST_TERMS} texts of 1 to ${MOST_TEXT} characters`);
    if (name === 'kinds' && !list.every((item) => KINDS.includes(String(item))))
      throw refuse(`options.kinds: expected some of ${KINDS.join(', ')}`);
  }
  if (options.ocr !== undefined && typeof options.ocr !== 'boolean')
    throw refuse('options.ocr: expected true or false');
}

function checkApply({ reviewed, sourceSha256, regions, label, fill, strict, raster }: Values): void {
  if (reviewed !== true) throw refuse('options.reviewed: expected true; findings are never applied on their own');
  if (typeof sourceSha256 !== 'string' || !/^[0-9a-f]{64}$/i.test(sourceSha256))
    throw refuse('options.sourceSha256: expected the hash of the inspected file, 64 hexadecimal digits');
  const { redactionRegionsMin: min, redactionRegionsMax: max } = LIMITS;
  if (!Array.isArray(regions) || regions.length < min || regions.length > max)
    throw refuse(
      `options.regions: expected ${min} to ${max}, found ${Array.isArray(regions) ? regions.length : 'none'}`,
    );
  for (const [i, region] of regions.entries()) checkRegion(region, `region ${i + 1}`);
  for (const [name, value] of Object.entries({ label, fill }))
    if (value !== undefined && !isText(value, MOST_WORD)) throw refuse(`options.${name}: expected text`);
  for (const [name, value] of Object.entries({ strict, raster }))
    if (value !== undefined && typeof value !== 'boolean') throw refuse(`options.${name}: expected true or false`);
}

/** A box of a displayed page. Whether the page exists is known only when the file is read. */
function checkRegion(region: unknown, name: string): void {
  if (typeof region !== 'object' || region === null) throw refuse(`options.regions: ${name} is no object`);
  assertKnown(region as Values, REGION, `member of ${name}:`); // an object, just checked
  const { page, x, y, w, h, kind, id } = region as Values;
  if (typeof page !== 'number' || !Number.isInteger(page) || page < 1)
    throw refuse(`options.regions: ${name}: expected page to be a whole number from 1`);
  const isPart = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;
  if (!isPart(x) || !isPart(y) || !isPart(w) || !isPart(h) || w === 0 || h === 0)
    throw refuse(`options.regions: ${name}: expected x and y of 0 to 1, w and h above 0 and up to 1`);
  for (const word of [kind, id])
    if (word !== undefined && !isText(word, MOST_WORD))
      throw refuse(`options.regions: ${name}: expected kind and id to be texts of at most ${MOST_WORD} characters`);
}

function assertKnown(members: Values, known: readonly string[], kind: string): void {
  const unknown = Object.keys(members).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw refuse(`unknown ${kind} '${plain(unknown.slice(0, MOST_WORD))}'; expected ${known.join(', ')}`);
}

/** Text without NUL and lone surrogates, which databases refuse. */
function isText(value: unknown, most: number): boolean {
  return typeof value === 'string' && value.length <= most && isWellFormed(value);
}

function refuse(why: string): Failure {
  return new Failure('usage', `redaction: ${why}`);
}
