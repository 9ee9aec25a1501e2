import { Failure } from '../../contract/base/failure.ts';
import type { Values } from '../../contract/base/ports.ts';
import { command, field, say } from '../../contract/base/wording.ts';
import { LIMITS } from '../../contract/limits.ts';
import { checkWanted, DETECTORS, type Detector, type SearchQuery } from '../../pdf/redact/words/detectors.ts';

const MOST_WANTED = 200;

/** @throws Failure `usage` that names what is wrong. */
export function readWanted(options: Values): SearchQuery {
  const kinds = textList(options, 'kinds').flatMap((each) => each.split(','));
  const unknown = kinds.find((kind) => !(DETECTORS as readonly string[]).includes(kind));
  if (unknown !== undefined)
    throw new Failure('usage', say`${field('kinds')}: expected some of ${DETECTORS.join(', ')}, found '${unknown}'`);
  const wanted = {
    terms: textList(options, 'find'),
    expressions: textList(options, 'regex'),
    kinds: kinds as Detector[],
  }; // just checked
  checkWanted(wanted);
  return wanted;
}

export function textList(options: Values, name: string): string[] {
  const value = options[name];
  const list: unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
  if (!list.every((item) => typeof item === 'string'))
    throw new Failure('usage', `${name}: expected text, or a list of texts`);
  if (list.length > MOST_WANTED)
    throw new Failure('usage', `${name}: expected at most ${MOST_WANTED}`, { kind: 'limit' });
  return list as string[]; // just checked
}

export function textOption(options: Values, name: string): string | undefined {
  const value = options[name];
  if (value !== undefined && typeof value !== 'string') throw new Failure('usage', `${name}: expected text`);
  return value;
}

export function flagOption(options: Values, name: string): boolean {
  const value = options[name];
  if (value !== undefined && typeof value !== 'boolean') throw new Failure('usage', `${name}: expected true or false`);
  return value === true;
}

/** The regions of an apply job: as many as SERVICE.md allows, of the file that was inspected, and looked at by a person. */
export function checkApply(options: Values, name: string, sha256: string): readonly unknown[] {
  if (options.reviewed !== true)
    throw new Failure('usage', 'the regions are not reviewed', {
      hint: say`Look at them first, with ${command('redact review')}. Findings are never applied on their own.`,
    });
  const given = textOption(options, 'sourceSha256');
  if (given === undefined) throw new Failure('usage', 'sourceSha256 is missing: of which file are the regions?');
  if (given.toLowerCase() !== sha256)
    throw new Failure('refused', `the regions are of another file than ${name}: its SHA-256 is not the inspected one`, {
      hint: 'Inspect this file again.',
    });
  const { regions } = options;
  const { redactionRegionsMin: min, redactionRegionsMax: max } = LIMITS;
  const count = Array.isArray(regions) ? regions.length : 0;
  if (!Array.isArray(regions) || count < min || count > max)
    throw new Failure(count > max ? 'too_large' : 'usage', `expected ${min} to ${max} regions, found ${count}`, {
      kind: 'limit',
    });
  return regions;
}
