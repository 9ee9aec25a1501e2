// Invoices in PDFs, read beside poppler's pdfdetach, and put into PDFs, judged by veraPDF and by the rules of EN 16931.
//   npm run build; node test/bench/invoices.mjs FOLDER [--attach N] [--rules EN16931-CII-validation.xslt]
// FOLDER holds PDFs, such as those of ZUGFeRD/corpus. Prints how many invoices `invoice show` reads as they are attached, and of
// the first N of the level EN 16931: how many come out of `invoice attach` as valid PDF/A-3b with the same XML. The rules are
// the XSLT that ConnectingEurope/eInvoicing-EN16931 publishes, run by Saxon (apt install libsaxonhe-java).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judge, judgeClasses } from '../conformance/judge.mjs';

const SAXON = process.env.PDFTOOL_SAXON ?? '/usr/share/java/Saxon-HE.jar';
const [folder, ...rest] = process.argv.slice(2);
const option = (name) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
const work = mkdtempSync(join(tmpdir(), 'invoices-'));
const print = (text) => process.stdout.write(`${text}\n`);
const pdftool = (...line) =>
  spawnSync(process.execPath, ['bin/pdftool.js', ...line, '--local'], { encoding: 'utf8', maxBuffer: 1 << 28 });

const files = readdirSync(folder, { recursive: true })
  .filter((name) => /\.pdf$/i.test(name))
  .map((name) => join(folder, name))
  .sort();
const records = pdftool('invoice', 'show', ...files, '--json')
  .stdout.split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line))
  .filter(({ input }) => input !== undefined);
const shown = records.filter(({ ok }) => ok);
print(`${files.length} files: ${shown.length} hold an invoice`);
for (const { ok, input, error } of records) if (!ok) print(`   - ${input}: ${error.message}`);
const wrong = shown.filter((record) => !isAttached(record));
print(`as pdfdetach has them: ${shown.length - wrong.length} of ${shown.length}`);
for (const { input } of wrong) print(`   - ${input}`);
await attach(shown.filter(({ level }) => level === 'en16931').slice(0, Number(option('--attach') ?? 0)));
rmSync(work, { recursive: true });

/** Whether another program finds a file of that name and size, with that number in it. */
function isAttached({ input, file, bytes, number }) {
  const out = join(work, 'detached');
  mkdirSync(out, { recursive: true });
  spawnSync('pdfdetach', ['-saveall', '-o', out, input]);
  const name = readdirSync(out).find((each) => each === file);
  const held = name === undefined ? Buffer.alloc(0) : readFileSync(join(out, name));
  rmSync(out, { recursive: true });
  return held.length === bytes && (number === undefined || held.includes(number));
}

async function attach(rows) {
  if (rows.length === 0) return;
  const [xmls, made] = [join(work, 'xml'), []];
  mkdirSync(xmls);
  for (const [i, { input }] of rows.entries()) {
    const [xml, output, again] = [join(xmls, `${i}.xml`), join(work, `${i}.pdf`), join(work, `${i}.xml`)];
    pdftool('invoice', 'show', input, '--xml', '-o', xml);
    pdftool('invoice', 'attach', input, xml, '--replace', '-o', output);
    if (!existsSync(output)) continue;
    pdftool('invoice', 'show', output, '--xml', '-o', again);
    made.push({ output, isSame: readFileSync(again).equals(readFileSync(xml)) });
  }
  const verdicts = await judge(
    made.map(({ output }) => ['3b', output]),
    judgeClasses(),
  );
  const valid = verdicts.filter(({ verdict }) => verdict === 'PASS').length;
  print(
    `attached: ${made.length} of ${rows.length}, valid PDF/A-3b ${valid}, the same XML ${made.filter(({ isSame }) => isSame).length}`,
  );
  const rules = option('--rules');
  if (rules === undefined || !existsSync(SAXON))
    return print('the rules of EN 16931 were not tried: give --rules and install Saxon');
  const reports = join(work, 'svrl');
  mkdirSync(reports);
  spawnSync('java', ['-cp', SAXON, 'net.sf.saxon.Transform', `-s:${xmls}`, `-xsl:${rules}`, `-o:${reports}`]);
  const broken = readdirSync(reports).filter((name) =>
    readFileSync(join(reports, name), 'utf8').includes('failed-assert'),
  );
  print(`EN 16931: ${readdirSync(reports).length} judged, ${broken.length} break a rule`);
}
