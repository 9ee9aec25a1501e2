// Numbers of people among traps: 500 lines made from a seed. Prints recall and precision of each kind.
import { expect, it } from 'vitest';
import { DETECTORS, type Detector, findIn } from '../../src/pdf/redact/words/detectors.ts';

function* numbers(seed: number): Generator<number, never> {
  for (let value = seed; ; ) {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield value / 2_147_483_648;
  }
}
const random = numbers(20_26);
const below = (most: number) => Math.floor(random.next().value * most);
const figures = (count: number) => Array.from({ length: count }, () => below(10)).join('');
/** `N`: 2 to 9, `X`: any figure. */
const filled = (form: string) => form.replace(/[NX]/g, (sign) => String(sign === 'N' ? 2 + below(8) : below(10)));
const one = <T>(list: readonly [T, ...T[]]): T => list[below(list.length)] ?? list[0];

function card(): string {
  const digits = `4${figures(14)}`;
  const sum = [...digits].reverse().reduce((all, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  const whole = `${digits}${(10 - (sum % 10)) % 10}`;
  return one([whole, whole.replace(/(.{4})(?!$)/g, '$1 '), whole.replace(/(.{4})(?!$)/g, '$1-')]);
}

function iban(): string {
  const [country, length] = one<readonly [string, number]>([
    ['DE', 22],
    ['FR', 27],
    ['ES', 24],
    ['NL', 18],
    ['GB', 22],
    ['NO', 15],
  ]);
  const account = country === 'NL' || country === 'GB' ? `ABNA${figures(length - 8)}` : figures(length - 4);
  let rest = 0;
  for (const sign of `${account}${country}00`) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  const whole = `${country}${String(98 - rest).padStart(2, '0')}${account}`;
  return one([whole, whole.replace(/(.{4})(?!$)/g, '$1 ')]);
}

function isbn(): string {
  const digits = `978${figures(9)}`;
  const sum = [...digits].reduce((all, digit, i) => all + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return `${digits.slice(0, 3)}-${digits[3]}-${digits.slice(4, 8)}-${digits.slice(8)}-${(10 - (sum % 10)) % 10}`;
}

const PHONES = [
  '+44 20 NXXX XXXX',
  '+1 NXX NXX XXXX',
  '+49 30 XXXXXXX',
  '+33 N XX XX XX XX',
  '(NXX) NXX-XXXX',
  'NXX-NXX-XXXX',
  'NXX.NXX.XXXX',
  '0NX XXX XXXX',
  '030 / XXX XXXX',
  'Tel. XXX XX XX',
  'Phone: NXX XXXX',
  'fax NXXXXXXXXX',
  '0033 N XX XX XX XX',
  '+1\u2013NXX\u2013NXX\u2013XXXX',
] as const;
const TRAPS: readonly [() => string, ...(() => string)[]] = [
  () => `ISBN ${isbn()}`,
  () => isbn(),
  () => `doi:10.${1000 + below(9000)}/${figures(7)}.${figures(7)}`,
  () => `${figures(3)}.${figures(2)} ${figures(3)}.${figures(2)} ${figures(3)}.${figures(2)}`,
  () => `120.00 ${figures(2)}.${figures(2)} ${figures(3)}.50`,
  () => `${1990 + below(30)} ${1990 + below(30)} ${1990 + below(30)}`,
  () => `2019-0${1 + below(9)}-1${below(10)} 14:00`,
  () => `$${figures(3)},${figures(3)},${figures(3)}`,
  () => `${1 + below(9)},${figures(3)},${figures(3)} and ${1 + below(9)},${figures(3)}`,
  () => `arXiv:${figures(4)}.${figures(5)}`,
  () => `pp. ${figures(3)}-${figures(3)}`,
  () => `invoice ${figures(4)}-${figures(4)}-${figures(4)}`,
  () => `1 ${figures(3)} 2 ${figures(3)} 3 ${figures(3)} 4`,
  () => `000-${figures(2)}-${figures(4)}`,
  () => `DE00 ${figures(4)} ${figures(4)} ${figures(4)} ${figures(4)} 00`,
  () => `1234 5678 1234 567${below(10) === 0 ? 1 : 1}`,
  () => `ISSN ${figures(4)}-${figures(4)}`,
  () => `version ${below(9)}.${below(9)}.${below(9)}.${figures(4)}`,
  () => `${figures(12)}`,
  () => `0.${figures(4)} 0.${figures(4)} 0.${figures(4)}`,
];

interface Line {
  readonly text: string;
  readonly kind: Detector | undefined;
  readonly wanted: string;
}

function lineOf(i: number): Line {
  const kind = ([...DETECTORS, undefined, undefined, undefined, undefined, undefined] as const)[i % 10];
  const made = {
    email: () => `${one(['jane.doe', "o'neill", 'x+y', 'm\u00fcller'])}@${one(['example.com', 'mail.example.co.uk'])}`,
    card,
    iban,
    ssn: () => `${100 + below(500)}-${10 + below(89)}-${1000 + below(8999)}`,
    phone: () => filled(one(PHONES)),
  };
  const said = kind === undefined ? one(TRAPS)() : made[kind]();
  const before = one(['', 'see ', 'It is ', 'Contact '] as const);
  const after = one([' today', '', '.', kind === 'iban' ? ' BIC ABCDEFGH' : ' and more'] as const);
  return { text: `${before}${said}${after}`, kind, wanted: said.replace(/^(?:Tel\.|Phone:|fax) /, '') };
}

it('are found, and traps are not', () => {
  const counts = new Map(
    DETECTORS.map((kind) => [kind, { there: 0, found: 0, wrong: [] as string[], missed: [] as string[] }]),
  );
  for (const { text, kind, wanted } of Array.from({ length: 500 }, (_, i) => lineOf(i))) {
    const found = findIn(text, { expressions: [], kinds: [...DETECTORS] }, () => []);
    const hit = found.find((each) => each.kind === kind && text.slice(each.start, each.end) === wanted);
    if (kind !== undefined) {
      const count = counts.get(kind);
      if (count !== undefined) {
        count.there++;
        if (hit === undefined) count.missed.push(text);
        else count.found++;
      }
    }
    for (const each of found) if (each !== hit) counts.get(each.kind as Detector)?.wrong.push(text);
  }
  for (const [kind, { there, found, wrong, missed }] of counts) {
    const [recall, precision] = [found / there, found / (found + wrong.length)];
    console.log(
      `${kind}: recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}`,
      missed.slice(0, 4),
      wrong.slice(0, 4),
    );
    expect(recall, kind).toBeGreaterThanOrEqual(0.98);
    expect(precision, kind).toBeGreaterThanOrEqual(0.95);
  }
});
