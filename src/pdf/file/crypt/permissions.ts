// Permissions of those who open a document with the user password: bits of /P (ISO 32000-2, table 22).
import { Failure } from '../../../contract/base/failure.ts';

/** Bit 10, text access for screen readers, is always set (PDF 2.0). */
const BITS = { print: 3, change: 4, copy: 5, annotate: 6, 'fill-forms': 9, assemble: 11, 'print-well': 12 } as const;

type Permission = keyof typeof BITS;

const NAMES = Object.keys(BITS) as Permission[]; // its own keys

/** Bits 1 and 2 are 0; bit 10 and the reserved bits are 1. */
const BASE = 0xfffff2c0;
/** Words for several permissions, and permissions that include others: high-quality printing includes printing. */
const WORDS: Readonly<Record<string, readonly Permission[]>> = {
  all: NAMES,
  none: [],
  print: ['print', 'print-well'],
  'print-low': ['print'],
  // Names in other programs.
  modify: ['change'],
  fill: ['fill-forms'],
};

/** The flags of /P for a list such as `print,copy`. `refuse`: the list names what is forbidden. */
export function permissionFlags(list: string, refuse: boolean): number {
  const named = new Set(list.split(/[\s,]+/).flatMap((word) => permissionsNamed(word)));
  return NAMES.filter((name) => named.has(name) !== refuse).reduce((flags, name) => flags | bit(name), BASE) | 0;
}

export const ALL_PERMISSIONS = permissionFlags('all', false);

function permissionsNamed(word: string): readonly Permission[] {
  const name = word.toLowerCase();
  if (Object.hasOwn(WORDS, name)) return WORDS[name] ?? [];
  const known = NAMES.find((known) => known === name);
  if (known !== undefined) return [known];
  const words = ['all', 'none', 'print', 'print-low', ...NAMES.slice(1, -1)];
  throw new Failure('usage', `there is no permission named '${word}'`, { hint: `There are ${words.join(', ')}.` });
}

export function permissionsIn(flags: number): { allowed: string[]; refused: string[] } {
  const isAllowed = (name: Permission): boolean => (flags & bit(name)) !== 0;
  return { allowed: NAMES.filter(isAllowed), refused: NAMES.filter((name) => !isAllowed(name)) };
}

function bit(name: Permission): number {
  return 1 << (BITS[name] - 1);
}
