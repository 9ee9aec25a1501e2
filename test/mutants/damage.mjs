// Kinds of damage that real files have, made from a seed: the same seed gives the same bytes.

/** A generator of numbers in [0, 1) that is the same everywhere (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Each takes the bytes as text of one byte a character and a Dice, and gives the damaged text; undefined where it has nothing to damage. */
export const KINDS = {
  flip: (text, dice) => flips(text, dice, 1, [[0, text.length]]),
  flips: (text, dice) => flips(text, dice, 16, [[0, text.length]]),
  syntax: (text, dice) => flips(text, dice, 2, syntaxOf(text)),
  truncate: (text, dice) => text.slice(0, text.length - 1 - dice.below(Math.ceil(text.length / 10))),
  half: (text, dice) => text.slice(0, Math.floor(text.length * (0.3 + 0.6 * dice.next()))),
  cut: (text, dice) => splice(text, dice.below(text.length), 1 + dice.below(512), ''),
  insert: (text, dice) => splice(text, dice.below(text.length), 0, noise(dice, 1 + dice.below(64))),
  swap: (text, dice) => {
    const size = 1 + dice.below(512);
    const [a, b] = [dice.below(text.length), dice.below(text.length)].sort((x, y) => x - y);
    if (b < a + size || b + size > text.length) return undefined;
    const [one, other] = [text.slice(a, a + size), text.slice(b, b + size)];
    return splice(splice(text, b, size, one), a, size, other);
  },
  zeros: (text, dice) => {
    const size = 1 + dice.below(512);
    return splice(text, dice.below(text.length), size, '\0'.repeat(size));
  },
  newlines: (text) => text.replace(/\r?\n/g, '\r\n'),
  token: (text, dice) =>
    replaceOne(text, dice, /\b(obj|endobj|stream|endstream|xref|trailer|startxref|R)\b/g, ([word]) =>
      word.length === 1 ? 'Q' : noise(dice, word.length),
    ),
  digit: (text, dice) => replaceOne(text, dice, /(?<=[\s[/]\d*)\d(?=\d*[\s\]>/])/g, () => String(dice.below(10))),
  bracket: (text, dice) => replaceOne(text, dice, /<<|>>|[[\]()]/g, () => dice.of(['<', '>>', '[', ']', '(', '}', ''])),
  name: (text, dice) =>
    replaceOne(
      text,
      dice,
      /\/(Type|Pages?|Kids|Count|Parent|Root|Contents|Resources|Length|Filter|MediaBox|Size)\b/g,
      ([name]) => splice(name, 1 + dice.below(name.length - 1), 1, 'x'),
    ),
  objswap: (text, dice) => {
    const [a, b] = [dice.of(objectsOf(text)), dice.of(objectsOf(text))].sort((x, y) => x.at - y.at);
    if (a === undefined || b === undefined || a.at === b.at) return undefined;
    return splice(splice(text, b.at, b.length, a.text), a.at, a.length, b.text);
  },
  objdel: (text, dice) => onObject(text, dice, () => ''),
  objnull: (text, dice) => onObject(text, dice, ({ text: own }) => own.replace(/obj[\s\S]*endobj/, 'obj null endobj')),
  objrenum: (text, dice) =>
    onObject(text, dice, ({ text: own }) => own.replace(/^\d+/, String(1 + dice.below(objectsOf(text).length + 2)))),
  objdup: (text, dice) => {
    const [from, to] = [dice.of(objectsOf(text)), dice.of(objectsOf(text))];
    if (from === undefined || to === undefined) return undefined;
    return splice(text, to.at, 0, `${from.text}\n`);
  },
  length: (text, dice) => replaceOne(text, dice, /\/Length \d+/g, () => `/Length ${dice.below(20_000)}`),
  xrefrow: (text, dice) =>
    replaceOne(
      text,
      dice,
      /\d{10} \d{5} [nf]/g,
      ([row]) => `${String(dice.below(text.length)).padStart(10, '0')}${row.slice(10)}`,
    ),
  xrefshift: (text, dice) => {
    const at = text.search(/(?<![a-z])xref/);
    return splice(text, dice.below(at < 0 ? text.length : at), 0, '\n'.repeat(1 + dice.below(40)));
  },
  xrefdup: (text) => {
    const [table] = /(?<![a-z])xref[\s\S]*?startxref\s+\d+/.exec(text) ?? [];
    return table === undefined ? `${text}\n${text.slice(-200)}` : `${text}\n${table}\n%%EOF\n`;
  },
  startxref: (text, dice) =>
    text.replace(
      /(startxref\s+)\d+(?![\s\S]*startxref)/,
      `$1${dice.of(['', '-7', '0', '99999999999', String(dice.below(text.length))])}`,
    ),
  before: (text, dice) => noise(dice, 1 + dice.below(2_000)) + text,
  after: (text, dice) => text + noise(dice, 1 + dice.below(5_000)),
  objstm: (text, dice) => {
    const packs = objectsOf(text).filter((each) => /\/Type\s*\/(ObjStm|XRef)/.test(each.text));
    const pack = dice.of(packs);
    if (pack === undefined) return undefined;
    const data = pack.text.search(/stream\r?\n/) + 8;
    return flips(text, dice, 2, [[pack.at + data, pack.at + pack.length - 16]]);
  },
};

/** A mutant of a file, or undefined where the kind has nothing to damage in it. */
export function mutant(bytes, kind, seed) {
  const random = seeded(seed);
  const below = (limit) => Math.floor(random() * Math.max(1, limit));
  const dice = { next: random, below, of: (list) => list[below(list.length)] };
  const text = Buffer.from(bytes).toString('latin1');
  const damaged = KINDS[kind](text, dice);
  return damaged === undefined || damaged === text ? undefined : Buffer.from(damaged, 'latin1');
}

function splice(text, at, remove, insert) {
  return text.slice(0, at) + insert + text.slice(at + remove);
}

function noise(dice, length) {
  return String.fromCharCode(...Array.from({ length }, () => dice.below(256)));
}

function flips(text, dice, count, ranges) {
  const total = ranges.reduce((sum, [from, to]) => sum + Math.max(0, to - from), 0);
  if (total === 0) return undefined;
  const bytes = Buffer.from(text, 'latin1');
  for (let i = 0; i < count; i++) {
    let at = dice.below(total);
    for (const [from, to] of ranges) {
      const size = Math.max(0, to - from);
      if (at < size) {
        bytes[from + at] ^= 1 << dice.below(8);
        break;
      }
      at -= size;
    }
  }
  return bytes.toString('latin1');
}

/** What stands outside of streams. */
function syntaxOf(text) {
  const ranges = [];
  let from = 0;
  for (const { index, 0: whole } of text.matchAll(/\bstream\r?\n[\s\S]*?endstream/g)) {
    ranges.push([from, index]);
    from = index + whole.length;
  }
  return [...ranges, [from, text.length]];
}

function replaceOne(text, dice, pattern, by) {
  const found = syntaxOf(text).flatMap(([from, to]) =>
    [...text.slice(from, to).matchAll(pattern)].map((match) => ({ match, at: from + match.index })),
  );
  const one = dice.of(found);
  return one === undefined ? undefined : splice(text, one.at, one.match[0].length, by(one.match));
}

function objectsOf(text) {
  return [...text.matchAll(/\b\d+ \d+ obj\b[\s\S]*?\bendobj\b/g)].map(({ index, 0: whole }) => ({
    at: index,
    length: whole.length,
    text: whole,
  }));
}

function onObject(text, dice, by) {
  const one = dice.of(objectsOf(text));
  return one === undefined ? undefined : splice(text, one.at, one.length, by(one));
}
