// Whether redaction can be wrong in silence: in every PDF of a folder words are looked for, taken out and looked for again,
// and other programs say where they stand and what is left.
//   node test/corpus/redact-found.mjs FOLDER [--words 20] [--pages 40] [--jobs 2] [--only TEXT] [--log FILE]
// FOLDER has one folder for each producer. With --log, results are kept in FILE, and a run that was ended goes on from there. Prints a line for each file with something to tell, and the figures at the end;
// ends with 1 where one of them is beyond its bound. Needs pdftotext, mutool and qpdf. The redaction code runs in child
// processes of this script, one for each job, with the readers in the same process: starting the program five times a file
// took nine tenths of a run. Nothing is recognised: words in pictures are not counted.
import { fork, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../..');
const SLOWEST = 900_000;
const [folder = '', ...rest] = process.argv.slice(2);
const root = resolve(folder);
const option = (name, usual) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : usual);
const MOST_WORDS = Number(option('--words', 20));
const MOST_PAGES = Number(option('--pages', 40));
/** Words of a document of one page for which `check` runs alone; of longer ones it is fewer. */
const ALONE = Number(option('--alone', 20));

/** The code under test in one file, with what this script calls. */
async function bundle() {
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  const outfile = join(ROOT, `node_modules/.cache/redact-found-${process.pid}.mjs`);
  const contents = `
    export { openPdf } from './src/pdf/file/open.ts';
    export { memorySource } from './src/pdf/file/read/memory-source.ts';
    export { readPages } from './src/pdf/file/read/page-tree.ts';
    export { askingEyes } from './src/contract/questions.ts';
    export { answerQuestions } from './src/local/redaction/answer-questions.ts';
    export { applyRegions } from './src/pdf/redact/apply-regions.ts';
    export { checkDocument } from './src/pdf/redact/check-document.ts';
    export { inspectDocument } from './src/pdf/redact/inspect-document.ts';`;
  await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20.19', packages: 'external' },
    ...{ logLevel: 'error', outfile },
  });
  return outfile;
}

const work = mkdtempSync(join(tmpdir(), 'redact-found-'));
const run = (command, args) =>
  new Promise((done) => {
    const child = spawn(command, args, { cwd: work, stdio: ['ignore', 'pipe', 'pipe'] });
    const out = [];
    child.stdout.on('data', (part) => out.push(part));
    child.stderr.resume();
    child.on('error', () => done({ status: -1, out: '' }));
    child.on('close', (status) => done({ status, out: Buffer.concat(out).toString('utf8') }));
  });

// Accents of alphabets go; the vowel signs of other scripts are letters.
const folded = (text) =>
  text
    .normalize('NFKD')
    .replace(
      /(?![\u3099\u309a])(?=[\p{sc=Inherited}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Latin}])\p{Mn}|[\p{Cf}\u00ad]/gu,
      '',
    )
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase();
const tokens = (text) => folded(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

function* numbers(seed) {
  for (let value = seed; ; ) yield (value = (value * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'" };

/** Words of a document with their boxes as fractions of their page, by poppler. */
async function placesOf(path) {
  const { out } = await run('pdftotext', ['-bbox', '-cropbox', path, '-']);
  const { out: about } = await run('pdfinfo', ['-f', '1', '-l', '9999', path]);
  const turned = new Set([...about.matchAll(/^Page +(\d+) rot: +(?:90|270)$/gm)].map(([, page]) => Number(page)));
  const places = [];
  let page = 0;
  let [wide, high] = [1, 1];
  for (const [, w, h, x0, y0, x1, y1, text] of out.matchAll(
    /<page width="([\d.]+)" height="([\d.]+)">|<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)<\/word>/g,
  )) {
    if (w !== undefined) {
      page++;
      [wide, high] = [Number(w), Number(h)];
      continue;
    }
    const box = [x0 / wide, y0 / high, x1 / wide, y1 / high];
    places.push({
      ...{ page, ratio: wide / high, box, x: (box[0] + box[2]) / 2, y: (box[1] + box[3]) / 2 },
      text: text.replace(/&(amp|lt|gt|quot|apos|#39);/g, (_, name) => ENTITIES[name]),
    });
  }
  // poppler gives the size of a turned page as it was before, and its words as they are displayed.
  return places.map((place) => (turned.has(place.page) ? swapped(place) : place));
}

function swapped(place) {
  const { ratio } = place;
  const [x0, y0, x1, y1] = place.box;
  return { ...place, x: place.x * ratio, y: place.y / ratio, box: [x0 * ratio, y0 / ratio, x1 * ratio, y1 / ratio] };
}

/** Hidden text and earlier versions are told beside the word and stand for none. */
const isOfWord = ({ what }) => what === 'a word that was looked for';
/** The page is not called clean, and the word is not named. */
const isOfReader = ({ what }) => /reader cannot read|other ones than the text says|without text/.test(what);

const mutoolText = async (path) => (await run('mutool', ['draw', '-q', '-F', 'txt', path])).out;
const counted = (words) => {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};

/** Words of at least four letters that stand in the document a few times, chosen by the file's name alone. */
function chosen(places, name) {
  const counts = counted(
    places
      .flatMap(({ text }) => tokens(text))
      .filter((word) => /^[\p{L}\p{M}]{4,}$/u.test(word) || /^[\u3040-\u9fff\uac00-\ud7af]{2,}$/u.test(word)),
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

/** Readers that answer a question about the same bytes once: `check` is asked about one file for each of its words. */
function remembering(open) {
  const known = new Map();
  return {
    async open(bytes) {
      const hash = createHash('sha1').update(bytes).digest('hex');
      if (!known.has(hash)) known.set(hash, open(bytes));
      return remembered(await known.get(hash));
    },
    async close() {
      for (const opened of known.values()) (await opened).close();
    },
  };
}

/** Answers by the document that gave them. */
const ANSWERS = new WeakMap();

function remembered(pages) {
  if (!ANSWERS.has(pages)) ANSWERS.set(pages, new Map());
  const answers = ANSWERS.get(pages);
  const once =
    (question) =>
    (...about) => {
      const key = `${question} ${about.join(' ')}`;
      if (!answers.has(key)) answers.set(key, pages[question](...about));
      return answers.get(key);
    };
  return { pages: pages.pages, characters: once('characters'), draw: once('draw'), texts: once('texts'), close() {} };
}

/** Everything about one file: what happened, in figures and in words. */
async function tryFile(engine, path) {
  const name = relative(root, path);
  const result = { name, told: [], sums: {}, lists: {}, missed: {}, blind: {} };
  const add = (key, count = 1) => void (result.sums[key] = (result.sums[key] ?? 0) + count);
  const list = (key, item) => void (result.lists[key] ??= []).push(item);
  const { out: info } = await run('pdfinfo', [path]);
  const pages = Number(/^Pages:\s+(\d+)/m.exec(info)?.[1] ?? 0);
  const before = pages === 0 || pages > MOST_PAGES ? [] : await placesOf(path);
  const words = chosen(before, name);
  if (words.length === 0) {
    add('wordless');
    return result;
  }
  add('tried');
  result.words = words;
  const { told } = result;
  const tools = { openProbe: (bytes) => engine.eyes.open(bytes), yieldNow: async () => {}, progress() {} };
  const open = async (bytes, label) => {
    const file = await engine.openPdf(engine.memorySource(bytes, label));
    return { file, tree: engine.readPages(file), scanned: false };
  };
  const refused = (step, error) => {
    list('refused', `${name}: ${step}: ${error.message}`.slice(0, 300));
    told.push(`${step}: ${error.message}`);
    return result;
  };
  const checked = async (bytes, terms, regions, openProbe = tools.openProbe) => {
    const options = { regions, terms, label: undefined };
    return (await engine.checkDocument(await open(bytes, name), options, { ...tools, openProbe })).leaks;
  };
  const bytes = readFileSync(path);
  let found;
  try {
    found = await engine.inspectDocument(
      await open(bytes, name),
      { terms: words, expressions: [], kinds: [] },
      { ...tools, match: () => [] },
    );
    const sameEyes = remembering(tools.openProbe);
    for (const word of words.slice(0, Math.ceil(ALONE / pages))) {
      add('checkedAlone');
      const leaks = await checked(bytes, [word], [], sameEyes.open);
      if (leaks.some(isOfWord)) continue;
      if (leaks.some(isOfReader)) {
        list('doubted', `${name}: ${word}`);
        continue;
      }
      list('falseClean', `${name}: ${word}`);
      told.push(`check says clean while "${word}" is there`);
    }
    await sameEyes.close();
  } catch (error) {
    return refused('inspect', error);
  }
  add('pages', pages);
  for (const [i, { regions, elsewhere }] of found.terms.entries())
    if (regions === 0 && elsewhere.length === 0) {
      list('unfound', `${name}: ${words[i]}`);
      told.push(`found nowhere: ${words[i]}`);
    }
  for (const { page, reader, what, count } of found.differences) {
    if (what.startsWith('sees')) {
      list('disguised', `${name}: page ${page}: ${count} letters`);
      continue;
    }
    const kind = what.startsWith('misses') ? result.missed : result.blind;
    kind[reader] = (kind[reader] ?? 0) + (what.startsWith('misses') ? count : 1);
  }
  const wanted = new Set(words);
  const words2 = (text) => tokens(text).filter((token) => wanted.has(token));
  const mutoolTokens = tokens(await mutoolText(path));
  const mutoolBefore = counted(mutoolTokens.filter((token) => wanted.has(token)));
  const popplerBefore = counted(before.flatMap(({ text }) => words2(text)));
  for (const [i, { regions }] of found.terms.entries())
    for (const [reader, counts] of [
      ['poppler', popplerBefore],
      ['mutool', mutoolBefore],
    ]) {
      const lack = regions - (counts.get(words[i]) ?? 0);
      if (lack > 0) result.missed[reader] = (result.missed[reader] ?? 0) + lack;
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
  const mine = before.filter(({ text }) => words2(text).length > 0);
  add('places', mine.length);
  const bare = mine.filter(
    (place) => !isIn(place) && !touches(place) && place.x > 0 && place.x < 1 && place.y > 0 && place.y < 1,
  );
  const hiddenSaid = found.terms.some(({ elsewhere }) => elsewhere.length > 0);
  const unreadable = new Set(found.differences.filter(({ what }) => /no text/.test(what)).map(({ page }) => page));
  if (bare.length > 0 && !hiddenSaid && !bare.every(({ page }) => unreadable.has(page))) {
    list('unsaid', `${name} (${bare.length} of ${mine.length})`);
    const some = bare.slice(0, 3).map(({ page, text }) => `${page} ${text}`);
    told.push(`${bare.length} places of words have no region: ${some.join(', ')}`);
  }
  if (found.regions.length === 0 || found.regions.length > 2_000) {
    told.push(`${found.regions.length} regions, none applied`);
    return result;
  }
  let applied;
  try {
    const style = { fill: [0, 0, 0], label: undefined };
    const wish = { regions: found.regions, style, strict: false, raster: false, clean: found.clean };
    applied = await engine.applyRegions(await open(bytes, name), wish, tools);
  } catch (error) {
    return refused('apply', error);
  }
  add('applied');
  add('pictures', applied.pictures.length);
  for (const { page, why } of applied.pictures) list('pictured', `${name}: ${page}: ${why}`);
  const output = join(work, 'output.pdf');
  writeFileSync(output, applied.bytes);
  const leaks = await checked(applied.bytes, words, found.regions);
  if (leaks.length > 0) {
    list('notClean', `${name}: ${JSON.stringify(leaks).slice(0, 300)}`);
    told.push(`check of the output: ${JSON.stringify(leaks).slice(0, 200)}`);
  }
  const after = await placesOf(output);
  const left = [...after.map(({ text }) => text), await mutoolText(output)].flatMap(words2);
  if (left.length > 0) {
    const said = leaks.length > 0 || hiddenSaid;
    list(said ? 'leftAndSaid' : 'leftUnsaid', `${name}: ${[...new Set(left)].join(' ')}`);
    told.push(`left: ${[...new Set(left)].join(' ')}${said ? ', and said' : ''}`);
  }
  // Where a reader cannot read a page, which is told, others guess at its letters and their order.
  const isKept = (place) => !touches(place) && !unreadable.has(place.page);
  const stays = counted(before.filter(isKept).flatMap(({ text }) => tokens(text)));
  const there = counted(after.flatMap(({ text }) => tokens(text)));
  // Letters that are set apart make words or not, as poppler sees their neighbours: their letters count.
  const letters = after.flatMap(({ text }) => tokens(text)).join('');
  const unwanted = (token) => words.reduce((rest, word) => rest.replaceAll(word, ''), token);
  // Where letters beside a word went, poppler may order and divide slanted text anew: mutool is asked then.
  const [others, othersAfter] = [mutoolTokens, tokens(await mutoolText(output))].map((list) =>
    list.map(unwanted).join(''),
  );
  const gone = [];
  for (const [word, count] of stays) {
    // One letter is a sign of a map or a formula more often than a word.
    if (word.length === 1) {
      stays.delete(word);
      continue;
    }
    const has = wanted.has(word) ? count : Math.max(there.get(word) ?? 0, letters.split(word).length - 1);
    const seen = others.split(word).length - 1;
    const lacking = seen < count ? count : Math.max(0, seen - (othersAfter.split(word).length - 1));
    for (let i = 0; i < Math.min(count - has, lacking); i++) gone.push(word);
  }
  const kept = [...stays.values()].reduce((sum, count) => sum + count, 0);
  add('lost', gone.length);
  add('kept', kept);
  if (gone.length > Math.max(0, kept * 0.001))
    told.push(`${gone.length} of ${kept} other words lost: ${gone.slice(0, 12).join(' ')}`);
  if ((await run('qpdf', ['--check', output])).status !== 0) {
    list('qpdf', name);
    told.push('qpdf finds something wrong');
  }
  return result;
}

async function child(bundled) {
  const engine = { ...(await import(bundled)) };
  const wasm = readFileSync(join(ROOT, 'node_modules/@embedpdf/pdfium/dist/pdfium.wasm'));
  const answer = engine.answerQuestions(() => wasm, new AbortController().signal);
  engine.eyes = engine.askingEyes(answer, () => {});
  process.on('message', async (path) => {
    try {
      process.send(await tryFile(engine, path));
    } catch (error) {
      process.send({ name: relative(root, path), failed: String(error?.stack ?? error).slice(0, 300) });
    }
  });
}

const LOG = option('--log', undefined);
const total = { files: 0, sums: {}, lists: {}, missed: {}, blind: {} };

function count(result) {
  const { name, told = [], failed } = result;
  total.files++;
  if (failed !== undefined) (total.lists.failed ??= []).push(`${name}: ${failed}`);
  for (const key of ['sums', 'missed', 'blind'])
    for (const [what, sum] of Object.entries(result[key] ?? {})) total[key][what] = (total[key][what] ?? 0) + sum;
  for (const [what, items] of Object.entries(result.lists ?? {})) (total.lists[what] ??= []).push(...items);
  if (failed !== undefined || told.length > 0) console.log(`${name}: ${failed ?? told.join('; ')}`);
  if (total.files % 20 === 0) console.log(`${total.files} files`);
}

/** Files one after the other in a process that is started anew when it breaks. */
async function job(bundled, order) {
  let mine;
  for (let path = order.shift(); path !== undefined; path = order.shift()) {
    mine ??= fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), '--child', bundled]);
    const asked = mine;
    const result = await new Promise((done) => {
      const late = setTimeout(() => done({ failed: `more than ${SLOWEST / 1000} s` }), SLOWEST);
      const broke = (code) => {
        clearTimeout(late);
        done({ failed: `the process ended with ${code}` });
      };
      asked.once('exit', broke);
      asked.once('message', (answer) => {
        clearTimeout(late);
        asked.off('exit', broke);
        done(answer);
      });
      asked.send(path);
    });
    if (result.name === undefined) {
      asked.kill('SIGKILL');
      mine = undefined;
    }
    const whole = { name: relative(root, path), ...result };
    if (LOG !== undefined) appendFileSync(LOG, `${JSON.stringify(whole)}\n`);
    count(whole);
  }
  mine?.kill();
}

function summary() {
  const { sums, lists, missed, blind } = total;
  const { lost = 0, kept = 0, ...figures } = sums;
  const list = (name) => lists[name] ?? [];
  const bounds = ['falseClean', 'unsaid', 'leftUnsaid', 'qpdf'];
  const share = kept === 0 ? 0 : Number((lost / kept).toFixed(5));
  const names = [
    ...bounds,
    'doubted',
    'disguised',
    'unfound',
    'notClean',
    'leftAndSaid',
    'refused',
    'failed',
    'pictured',
  ];
  const record = { files: total.files, ...figures, lost, kept, lostShare: share };
  for (const name of names) record[name] = list(name);
  console.log(JSON.stringify({ ...record, missedByReader: missed, pagesUnreadByReader: blind }, undefined, 1));
  return share <= 0.001 && bounds.every((name) => list(name).length === 0);
}

if (rest.includes('--child')) await child(option('--child'));
else {
  const only = option('--only', '');
  const known = LOG !== undefined && existsSync(LOG) ? readFileSync(LOG, 'utf8').trim().split('\n') : [];
  const done = known.filter((line) => line !== '').map((line) => JSON.parse(line));
  for (const result of done) count(result);
  const isDone = new Set(done.map(({ name }) => name));
  // Producers in turn, so that a run that is ended early has seen all of them.
  const turn = new Map();
  const order = readdirSync(root, { recursive: true })
    .map((name) => join(root, String(name)))
    .filter((path) => /\.pdf$/i.test(path) && path.includes(only) && statSync(path).isFile())
    .filter((path) => !isDone.has(relative(root, path)))
    .sort()
    .map((path) => {
      const producer = relative(root, path).split('/')[0];
      const at = turn.get(producer) ?? 0;
      turn.set(producer, at + 1);
      return { path, at };
    })
    .sort((a, b) => a.at - b.at)
    .map(({ path }) => path);
  const bundled = await bundle();
  process.on('SIGTERM', () => {
    summary();
    process.exit(2);
  });
  await Promise.all(Array.from({ length: Number(option('--jobs', 2)) }, () => job(bundled, order)));
  for (const path of [bundled, work]) rmSync(path, { recursive: true, force: true });
  process.exitCode = summary() ? 0 : 1;
}
