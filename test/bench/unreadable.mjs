// node test/bench/unreadable.mjs [FILE…]: precision and recall of "the text layer is unreadable", a page each. Made pages
// are text of several languages whose fonts map their codes to other characters. Of found files a page counts as unreadable
// where tesseract reads at least 20 words and fewer than a fifth of them are in the text layer, as readable where more than
// half are; others are left out.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, '../../bin/pdftool.js');
const MOST_PAGES = 8;
const TEXTS = {
  en: 'Several features of this machine are important in understanding the accidents that were reported to the authorities. The operator entered the data and the treatment was started before the display had been updated.',
  de: 'Die Anlage wurde von der Behörde geprüft, bevor sie wieder in Betrieb genommen werden durfte. Für jeden Bereich gelten eigene Vorschriften, die den zuständigen Stellen bekannt sind.',
  fr: "Les travaux ont commencé au printemps et seront terminés avant la fin de l'année. Chaque commune a reçu une copie du rapport avec les plans et les tableaux.",
  pl: 'Data wystawienia faktury oraz termin zapłaty zostały podane na pierwszej stronie. Wszystkie kwoty zawierają podatek, a rachunek bankowy znajduje się poniżej tabeli z pozycjami.',
  fi: 'Talon omistaja päätti myydä kiinteistön keväällä, mutta kauppa siirtyi syksyyn. Uusi omistaja muutti sisään vasta seuraavana vuonna ja korjasi katon ennen talvea.',
  ru: 'Работы начались весной и будут закончены до конца года. Каждый район получил копию отчёта с планами и таблицами, которые были подготовлены заранее.',
  zh: '本报告介绍了去年完成的工作以及今后的计划。每个部门都收到了一份副本，其中包括图表和说明，请在月底之前提出意见并交给负责人。',
  code: 'export function total(items) { let sum = 0; for (const item of items) sum += item.price * item.count; return Math.round(sum * 100) / 100; } if (total(list) > limit) throw new Error(list.length);',
  table:
    'Name Amount Tax Total 1,204.50 19.00 228.86 Paper 17.20 7.00 1.20 18.40 Binding 240.00 45.60 285.60 Postage 6.99 0.00 6.99 Sum 1,468.69 275.66 1,744.35 Due 30 days net',
};
const permuted = (character) => {
  const code = character.charCodeAt(0);
  if (code >= 97 && code < 123) return String.fromCharCode(97 + (((code - 97) * 11 + 5) % 26));
  return code >= 65 && code < 91 ? String.fromCharCode(65 + (((code - 65) * 7 + 3) % 26)) : character;
};
/** What becomes of a character; `none` leaves the page readable. */
const GARBLED = {
  none: (character) => character,
  shifted: (character) => String.fromCharCode(Math.max(33, character.charCodeAt(0) - 29)),
  private: (character) => String.fromCharCode(0xf000 + (character.charCodeAt(0) % 0x800)),
  counted: (_, i) => String.fromCharCode(33 + (i % 90)),
  permuted,
};

const folder = mkdtempSync(join(tmpdir(), 'pdftool-unreadable-'));
const score = { hit: 0, missed: 0, alarm: 0, quiet: 0 };
const found = { ...score };
try {
  for (const [language, text] of Object.entries(TEXTS)) {
    for (const [way, map] of Object.entries(GARBLED)) {
      // Not seen: other letters than Latin ones in each other's place, and letters of a table, which has too few.
      const isLatin = !['ru', 'zh'].includes(language);
      if (!isLatin && (way === 'permuted' || way === 'shifted')) continue;
      if (language === 'table' && way === 'permuted') continue;
      const file = join(folder, 'made.pdf');
      writeFileSync(file, madePage(`${text} `.repeat(3), map));
      count(score, unreadablePages(file).has(1), way !== 'none', `${language} ${way}`);
    }
  }
  for (const file of process.argv.slice(2)) {
    const named = unreadablePages(file);
    for (const [page, truth] of truthOf(file)) count(found, named.has(page), truth, `${file} p. ${page}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
for (const [name, { hit, missed, alarm, quiet }] of Object.entries({ made: score, found })) {
  const [precision, recall] = [hit / (hit + alarm), hit / (hit + missed)];
  console.log({ name, pages: hit + missed + alarm + quiet, hit, missed, alarm, precision, recall });
}

function count(to, verdict, truth, name) {
  to[verdict ? (truth ? 'hit' : 'alarm') : truth ? 'missed' : 'quiet']++;
  if (verdict !== truth) console.log(`${verdict ? 'false alarm' : 'missed'}: ${name}`);
}

/** One page of lines whose font says in its /ToUnicode what each code is. */
function madePage(text, map) {
  const codes = [...new Set(text)].filter((character) => character !== ' ');
  const hex = (value, length) => value.toString(16).padStart(length, '0');
  const chars = codes.map((character, i) => `<${hex(i + 1, 2)}> <${hex(map(character, i).charCodeAt(0), 4)}>`);
  const rows = chars.flatMap((row, i) => [
    ...(i % 100 === 0 ? [`${i === 0 ? '' : 'endbfchar\n'}${Math.min(100, chars.length - i)} beginbfchar`] : []),
    row,
  ]);
  const unicode = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange\n${rows.join('\n')}\nendbfchar endcmap end`;
  const lines = text.match(/.{1,60}(?: |$)|.{1,60}/gs) ?? [];
  const shown = lines.map((line, y) => {
    const words = line.trim().split(' ');
    let x = 50;
    return words
      .map((word) => {
        const at = `1 0 0 1 ${x} ${700 - 16 * y} Tm <${[...word].map((character) => hex(codes.indexOf(character) + 1, 2)).join('')}> Tj`;
        x += (word.length + 1) * 7;
        return at;
      })
      .join('\n');
  });
  const widths = Array.from({ length: 255 }, () => 600).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    stream(`BT /F 11 Tf\n${shown.join('\n')}\nET`),
    `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 1/LastChar 255/Widths[${widths}]/ToUnicode 6 0 R>>`,
    stream(unicode),
  ];
  let bytes = '%PDF-1.7\n';
  const places = objects.map((object, i) => {
    const place = bytes.length;
    bytes += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  return `${bytes}xref\n0 7\n0000000000 65535 f \n${places.join('')}trailer\n<</Size 7/Root 1 0 R>>\nstartxref\n${bytes.length}\n%%EOF\n`;
}

function stream(text) {
  return `<</Length ${text.length}>>\nstream\n${text}\nendstream`;
}

/** The pages that pdftool names. */
function unreadablePages(file) {
  const { stderr } = spawnSync(
    process.execPath,
    [PROGRAM, 'extract-text', file, '--allow-empty', '-o', '-', '--local'],
    { encoding: 'utf8' },
  );
  const list = /pages? ([\d, -]+): the text layer is unreadable/.exec(stderr)?.[1] ?? '';
  const pages = new Set();
  for (const part of list.split(',').filter(Boolean)) {
    const [from, to = from] = part.trim().split('-').map(Number);
    for (let page = from; page <= to; page++) pages.add(page);
  }
  return pages;
}

/** Pages with whether their text is unreadable, as far as a reading of the picture tells. */
function truthOf(file) {
  const truth = [];
  const layers = spawnSync('pdftotext', ['-l', MOST_PAGES, file, '-'].map(String), { encoding: 'utf8' }).stdout.split(
    '\f',
  );
  for (const [i, layer] of layers.slice(0, MOST_PAGES).entries()) {
    if (layer.replace(/\s/g, '').length < 40) continue;
    const picture = join(folder, 'page');
    spawnSync(
      'pdftoppm',
      ['-r', '150', '-gray', '-singlefile', '-png', '-f', i + 1, '-l', i + 1, file, picture].map(String),
    );
    const read = spawnSync('tesseract', [`${picture}.png`, '-'], { encoding: 'utf8' }).stdout;
    const words = new Set(read.toLowerCase().match(/\p{L}{4,}/gu) ?? []);
    if (words.size < 20) continue;
    const text = layer.toLowerCase();
    const share = [...words].filter((word) => text.includes(word)).length / words.size;
    if (share < 0.2 || share > 0.5) truth.push([i + 1, share < 0.2]);
  }
  return truth;
}
