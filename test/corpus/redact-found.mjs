// Whether redaction can be wrong in silence: in every PDF of a folder words are looked for, taken out and looked for again,
// and other programs say where they stand and what is left.
//   node test/corpus/redact-found.mjs FOLDER [--words 20] [--pages 40] [--jobs 2] [--only TEXT]
// FOLDER has one folder for each producer. Prints a line for each file with something to tell, and the figures at the end;
// ends with 1 where one of them is beyond its bound. Needs pdftotext, mutool and qpdf; PDFTOOL names another program to try.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const [folder = '', ...rest] = process.argv.slice(2);
const root = resolve(folder);
const option = (name, usual) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : usual);
const MOST_WORDS = Number(option('--words', 20));
const MOST_PAGES = Number(option('--pages', 40));
const PROGRAM = process.env.PDFTOOL ?? resolve(import.meta.dirname, '../../bin/pdftool.js');
const work = mkdtempSync(join(tmpdir(), 'redact-found-'));

const run = (command, args) =>
  new Promise((done) => {
    const child = spawn(command, args, { cwd: work, stdio: ['ignore', 'pipe', 'pipe'] });
    const out = [];
    let err = '';
    child.stdout.on('data', (part) => out.push(part));
    child.stderr.on('data', (part) => (err += part));
    child.on('error', () => done({ status: -1, out: '', err: 'cannot be started' }));
    child.on('close', (status) => done({ status, out: Buffer.concat(out).toString('utf8'), err }));
  });
const pdftool = (...args) => run(process.execPath, [PROGRAM, ...args]);

const folded = (text) =>
  text
    .normalize('NFKD')
    .replace(/(?![\u3099\u309a])[\p{Mn}\p{Cf}\u00ad]/gu, '')
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase();
const tokens = (text) => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

function* numbers(seed) {
  for (let value = seed; ; ) yield (value = (value * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

/** Words of a document with their boxes as fractions of their page, by poppler. */
async function placesOf(path) {
  const { out } = await run('pdftotext', ['-bbox', '-cropbox', path, '-']);
  const places = [];
  let page = 0;
  let [wide, high] = [1, 1];
  for (const [, w, h, x0, y0, x1, y1, text] of out.matchAll(
    /<page width="([\d.]+)" height="([\d.]+)">|<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)<\/word>/g,
  )) {
    if (w !== undefined) {
      page++;
      [wide, high] = [Number(w), Number(h)];
    } else
      places.push({
        page,
        ratio: wide / high,
        x: (Number(x0) + Number(x1)) / 2 / wide,
        y: (Number(y0) + Number(y1)) / 2 / high,
        box: [x0 / wide, y0 / high, x1 / wide, y1 / high],
        text: text
          .replaceAll('&amp;', '&')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&apos;', "'")
          .replaceAll('&#39;', "'"),
      });
  }
  // poppler gives the size of a turned page as it was before, and its words as they are displayed.
  const turned = new Set(places.filter(({ x, y }) => x > 1.02 || y > 1.02).map((place) => place.page));
  return places.map((place) => (turned.has(place.page) ? swapped(place) : place));
}

function swapped(place) {
  const { ratio } = place;
  const [x0, y0, x1, y1] = place.box;
  return { ...place, x: place.x * ratio, y: place.y / ratio, box: [x0 * ratio, y0 / ratio, x1 * ratio, y1 / ratio] };
}

const mutoolText = async (path) => (await run('mutool', ['draw', '-q', '-F', 'txt', path])).out;
const counted = (words) => {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};
const json = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Words of at least four letters that stand in the document a few times, chosen by the file's name alone. */
function chosen(places, name) {
  const counts = counted(
    places
      .flatMap(({ text }) => tokens(text))
      .filter((word) => /^\p{L}{4,}$/u.test(word) || /^[\u3040-\u9fff\uac00-\ud7af]{2,}$/u.test(word)),
  );
  const rare = [...counts]
    .filter(([, count]) => count <= 30)
    .map(([word]) => word)
    .sort();
  const next = numbers([...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 99_991, 7));
  const words = [];
  while (words.length < MOST_WORDS && rare.length > 0)
    words.push(rare.splice(Math.floor((next.next().value ?? 0) * rare.length), 1)[0]);
  return words;
}

const total = {
  files: 0,
  tried: 0,
  wordless: 0,
  places: 0,
  falseClean: [],
  unfound: [],
  unsaid: [],
  left: [],
  unproved: [],
  refused: [],
  notClean: [],
  qpdf: [],
  lost: 0,
  kept: 0,
  pictures: 0,
};
const missed = {};
const unreadBy = {};

async function tryFile(path) {
  const name = relative(root, path);
  total.files++;
  const { out: info } = await run('pdfinfo', [path]);
  const pages = Number(/^Pages:\s+(\d+)/m.exec(info)?.[1] ?? 0);
  const before = pages === 0 || pages > MOST_PAGES ? [] : await placesOf(path);
  const words = chosen(before, name);
  if (words.length === 0) {
    total.wordless++;
    return;
  }
  total.tried++;
  if (total.tried % 10 === 0) console.log(`${total.tried} of ${total.files} tried`);
  const id = `f${total.tried}`;
  const told = [];
  const find = words.flatMap((word) => ['--find', word]);
  const [one] = words;
  const plain = await pdftool('redact', 'check', path, '--json', '--find', one);
  if (plain.status === 0) {
    total.falseClean.push(name);
    told.push(`check says clean while "${one}" is there`);
  }
  const inspected = await pdftool('redact', 'inspect', path, ...find, '-o', `${id}.json`, '-f', '-q');
  let found;
  try {
    found = JSON.parse(readFileSync(join(work, `${id}.json`), 'utf8'));
  } catch {
    total.refused.push(`${name}: inspect ${inspected.status} ${inspected.err.slice(0, 200)}`);
    console.log(`${name}: inspect ends with ${inspected.status}`);
    return;
  }
  for (const { reader, what, count } of found.differences) {
    if (what.startsWith('misses')) missed[reader] = (missed[reader] ?? 0) + count;
    else unreadBy[reader] = (unreadBy[reader] ?? 0) + 1;
  }
  const isIn = (place, slack = 0.004) =>
    found.regions.some(
      (box) =>
        box.page === place.page &&
        place.x >= box.x - slack &&
        place.x <= box.x + box.w + slack &&
        place.y >= box.y - slack &&
        place.y <= box.y + box.h + slack,
    );
  const touches = ({ page, box: [x0, y0, x1, y1] }) =>
    found.regions.some(
      (box) =>
        box.page === page && box.x <= x1 + 0.003 && box.x + box.w >= x0 - 0.003 && box.y <= y1 && box.y + box.h >= y0,
    );
  const wanted = new Set(words);
  const isWanted = (text) => tokens(text).some((token) => wanted.has(token));
  const mine = before.filter(({ text }) => isWanted(text));
  total.places += mine.length;
  const open = mine.filter(
    (place) => !isIn(place) && !touches(place) && place.x > 0 && place.x < 1 && place.y > 0 && place.y < 1,
  );
  const hiddenSaid = found.terms.some(({ elsewhere }) => elsewhere.length > 0);
  const unreadable = new Set(found.differences.filter(({ what }) => /no text/.test(what)).map(({ page }) => page));
  if (open.length > 0 && !hiddenSaid && !open.every(({ page }) => unreadable.has(page))) {
    total.unsaid.push(`${name} (${open.length} of ${mine.length})`);
    told.push(
      `${open.length} places of words have no region: ${open
        .slice(0, 3)
        .map(({ page, text }) => `${page} ${text}`)
        .join(', ')}`,
    );
  }
  const none = found.terms.flatMap(({ regions, elsewhere }, i) =>
    regions === 0 && elsewhere.length === 0 ? [words[i]] : [],
  );
  if (none.length > 0) {
    total.unfound.push(`${name}: ${none.join(' ')}`);
    told.push(`found nowhere: ${none.join(', ')}`);
  }
  if (found.regions.length === 0 || found.regions.length > 2_000)
    return void console.log(`${name}: ${told.join('; ') || 'no regions to apply'}`);
  const applied = await pdftool(
    'redact',
    'apply',
    path,
    '--regions',
    `${id}.json`,
    '--reviewed',
    '-o',
    `${id}.pdf`,
    '-f',
    '-q',
  );
  if (applied.status !== 0) {
    total.refused.push(`${name}: apply ${applied.status}: ${applied.err.trim().slice(0, 300)}`);
    console.log(`${name}: apply ends with ${applied.status}: ${applied.err.trim().slice(0, 300)}`);
    return;
  }
  const output = join(work, `${id}.pdf`);
  total.pictures += (applied.err.match(/became a picture/g) ?? []).length;
  const checked = await pdftool('redact', 'check', output, '--json', ...find, '--regions', `${id}.json`);
  if (checked.status !== 0) {
    const leaks = json(checked.out)?.leaks ?? [];
    total.notClean.push(`${name}: ${checked.status} ${JSON.stringify(leaks).slice(0, 300)}`);
    told.push(`check of the output ends with ${checked.status}: ${JSON.stringify(leaks).slice(0, 200)}`);
  }
  const after = await placesOf(output);
  const left = [...after.map(({ text }) => text), await mutoolText(output)]
    .flatMap(tokens)
    .filter((token) => wanted.has(token));
  if (left.length > 0) {
    const said = checked.status !== 0 || hiddenSaid;
    (said ? total.left : total.unproved).push(`${name}: ${[...new Set(left)].join(' ')}`);
    told.push(`left: ${[...new Set(left)].join(' ')}${said ? ', and said' : ''}`);
  }
  // Where a reader cannot read a page, which is told, others guess at its letters and their order.
  const isKept = (place) => !touches(place) && !unreadable.has(place.page);
  const stays = counted(before.filter(isKept).flatMap(({ text }) => tokens(text)));
  const there = counted(after.flatMap(({ text }) => tokens(text)));
  // Letters that are set apart make words or not, as poppler sees their neighbours: their letters count.
  const letters = after.flatMap(({ text }) => tokens(text)).join('');
  const gone = [];
  for (const [word, count] of stays) {
    const left = wanted.has(word) ? count : Math.max(there.get(word) ?? 0, letters.split(word).length - 1);
    for (let i = left; i < count; i++) gone.push(word);
  }
  const lost = gone.length;
  const kept = [...stays.values()].reduce((sum, count) => sum + count, 0);
  total.lost += lost;
  total.kept += kept;
  if (lost > Math.max(0, kept * 0.001))
    told.push(`${lost} of ${kept} other words lost: ${gone.slice(0, 12).join(' ')}`);
  const { status } = await run('qpdf', ['--check', output]);
  if (status !== 0) {
    total.qpdf.push(name);
    told.push('qpdf finds something wrong');
  }
  if (told.length > 0) console.log(`${name}: ${told.join('; ')}`);
  rmSync(output, { force: true });
}

const only = option('--only', '');
const files = readdirSync(root, { recursive: true })
  .map((name) => join(root, String(name)))
  .filter((path) => /\.pdf$/i.test(path) && path.includes(only) && statSync(path).isFile())
  .sort();
// Producers in turn, so that a run that is ended early has seen all of them.
const turn = new Map();
const order = files
  .map((path) => {
    const producer = relative(root, path).split('/')[0];
    const at = turn.get(producer) ?? 0;
    turn.set(producer, at + 1);
    return { path, at };
  })
  .sort((a, b) => a.at - b.at)
  .map(({ path }) => path);
const work1 = async () => {
  for (let path = order.shift(); path !== undefined; path = order.shift()) await tryFile(path);
};
const summary = () => {
  const share = total.kept === 0 ? 0 : total.lost / total.kept;
  console.log(
    JSON.stringify(
      { ...total, lostShare: Number(share.toFixed(5)), missedByReader: missed, pagesUnreadByReader: unreadBy },
      undefined,
      1,
    ),
  );
  return total.falseClean.length + total.unsaid.length + total.unproved.length + total.qpdf.length > 0 || share > 0.001;
};
process.on('SIGTERM', () => {
  summary();
  process.exit(2);
});
await Promise.all(Array.from({ length: Number(option('--jobs', 2)) }, work1));
rmSync(work, { recursive: true, force: true });
process.exitCode = summary() ? 1 : 0;
