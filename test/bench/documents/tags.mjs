// What the tags of a document say, as poppler reads them, and the document without its tags, as MuPDF writes it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Headings with their levels, tables as rows of cells with their spans, list items, and all text in order, kept in the folder. */
export function structureTree(pdf, folder) {
  const known = join(folder, 'structure', `${createHash('sha256').update(readFileSync(pdf)).digest('hex')}.json`);
  if (existsSync(known)) return JSON.parse(readFileSync(known, 'utf8'));
  mkdirSync(join(folder, 'structure'), { recursive: true });
  const tree = readStructure(pdf);
  writeFileSync(known, JSON.stringify(tree));
  return tree;
}

function readStructure(pdf) {
  let out;
  try {
    out = execFileSync('pdfinfo', ['-struct-text', pdf], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 60_000,
      maxBuffer: 1 << 28,
    });
  } catch {
    return { headings: [], tables: [], items: [], text: '' };
  }
  const headings = [];
  const tables = [];
  const items = [];
  let all = '';
  const open = [];
  for (const line of out.split('\n')) {
    const [, indent, rest] = /^( *)([\s\S]*)$/.exec(line);
    if (rest === '') continue;
    const quoted = /^"(.*)"$/.exec(rest)?.[1];
    const attribute = /^\/(ColSpan|RowSpan) (\d+)/.exec(rest);
    if (quoted !== undefined) {
      all += quoted;
      for (const { heading, cell } of open) {
        if (heading) heading.text += quoted;
        if (cell) cell.text += quoted;
      }
      // Of an item without its mark and the items in it.
      const inner = open.findLastIndex(({ item }) => item !== undefined);
      if (inner >= 0 && !open.slice(inner).some(({ label }) => label)) open[inner].item.text += quoted;
      continue;
    }
    if (attribute !== null) {
      const cell = open.at(-1)?.cell;
      if (cell) cell[attribute[1].toLowerCase()] = Math.max(1, Number(attribute[2]));
      continue;
    }
    const tag = /^(\w+)( \(\w+\))?:?( |$)/.exec(rest)?.[1];
    if (tag === undefined || rest.startsWith('/')) continue;
    while (open.length > 0 && open.at(-1).depth >= indent.length) open.pop();
    const entry = { depth: indent.length };
    if (/^(H\d?|Title)$/.test(tag)) headings.push((entry.heading = { text: '', level: Number(tag[1]) || 1 }));
    if (tag === 'LI') items.push((entry.item = { text: '' }));
    if (tag === 'Lbl') entry.label = true;
    if (tag === 'Table') tables.push([]);
    if (tag === 'TR') tables.at(-1)?.push([]);
    if (/^T[DH]$/.test(tag))
      tables
        .at(-1)
        ?.at(-1)
        ?.push((entry.cell = { text: '' }));
    open.push(entry);
  }
  const says = ({ text }) => /\p{L}/u.test(text);
  return { headings: headings.filter(says), tables, items: items.filter(says), text: all };
}

/** A copy whose catalog has no tags. */
export function withoutTags(pdf, folder) {
  const out = join(folder, 'stripped');
  mkdirSync(out, { recursive: true });
  const script = join(folder, 'strip-tags.js');
  writeFileSync(
    script,
    `var doc = new PDFDocument(scriptArgs[0]); var root = doc.getTrailer().get('Root');
root.delete('StructTreeRoot'); root.delete('MarkInfo'); doc.save(scriptArgs[1], '');`,
  );
  const to = join(out, basename(pdf));
  if (existsSync(to)) return to;
  try {
    execFileSync('mutool', ['run', script, pdf, to], { stdio: 'ignore', timeout: 60_000 });
    return to;
  } catch {
    return pdf;
  }
}
