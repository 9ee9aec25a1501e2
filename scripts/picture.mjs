import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const COLUMNS = 80;
const OUT = '.github/terminal.svg';
const LINES = [
  'pdftool merge guide.pdf lorem-ipsum.pdf -o book.pdf',
  'pdftool split book.pdf --ranges 1-3,r2- -o parts',
  'pdftool compress book.pdf --target 300KB',
  'pdftool rotate guide.pdf lorem-ipsum.pdf --angle 90 --pages odd --out-dir turned',
  'pdftool merge guide.pdf lorem-ipsum.pdf -o book.pdf',
  'pdftool split book.pdf --ranges 2-5even',
];

const folder = mkdtempSync(join(tmpdir(), 'pdftool-picture-'));
for (const name of ['guide.pdf', 'lorem-ipsum.pdf']) copyFileSync(`test/fixtures/${name}`, join(folder, name));

/** What a line shows on a terminal, with its colours. */
function run(line) {
  const program = resolve('bin/pdftool.js');
  const command = line.replace('pdftool', `"${process.execPath}" "${program}" --local`);
  const { stdout } = spawnSync('script', ['-qec', `stty cols ${COLUMNS} rows 40; ${command}`, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TERM: 'xterm-256color', SHELL: '/bin/bash', LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  return stdout.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n').map(settled);
}

/** What stays of a line in which something moved: the text after the last return to its start, without moves. */
function settled(line) {
  const last = line.split('\r').at(-1) ?? '';
  return last
    .slice(last.lastIndexOf('\u001b[2K') + 1)
    .replace(/^\[2K/, '')
    .replace(/\u001b\[[\d;?]*[A-HJ-Zhl]/g, '');
}

const CLASSES = { 1: 'strong', 2: 'quiet', 31: 'bad', 32: 'good', 36: 'busy' };

/** A line as spans of text with a class. */
function spans(line) {
  const found = [];
  let name = '';
  for (const part of line.split(/(\u001b\[\d*m)/)) {
    const code = /^\u001b\[(\d*)m$/.exec(part)?.[1];
    if (code !== undefined) name = CLASSES[code] ?? '';
    else if (part !== '') found.push(`<tspan class="${name}">${escaped(part)}</tspan>`);
  }
  return found.join('');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const shown = LINES.flatMap((line) => [
  `<tspan class="good">$</tspan> <tspan class="typed">${escaped(line)}</tspan>`,
  ...run(line).map(spans),
  '',
]).slice(0, -1);
const height = 56 + shown.length * 19;
const rows = shown.map((row, index) => `<text x="18" y="${56 + index * 19}" xml:space="preserve">${row}</text>`);
writeFileSync(
  OUT,
  `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="${height}" viewBox="0 0 720 ${height}" role="img" aria-label="pdftool in a terminal">
<style>
text { font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #d7dae0 }
.good { fill: #7fd18b } .bad { fill: #ff7b72; } .quiet { fill: #8b949e } .strong, .typed { fill: #fff; font-weight: 600 } .busy { fill: #6cc7d9 }
</style>
<rect width="720" height="${height}" rx="8" fill="#161b22"/>
<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/><circle cx="62" cy="20" r="6" fill="#28c840"/>
${rows.join('\n')}
</svg>
`,
);
rmSync(folder, { recursive: true });
