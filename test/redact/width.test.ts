// The room that a removed word leaves does not tell which word it was.
import { writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { PDFDocument } from 'pdf-lib';
import { afterAll, expect, it } from 'vitest';
import { folder, pdftool } from '../e2e/pdftool.ts';

const here = folder();
afterAll(() => here[Symbol.dispose]());

/** Names whose widths differ by some points. */
const NAMES = ['Walter', 'Miriam', 'Ronald', 'Gerald'];

it('names of about one length leave the same gap, and boxes of the same width', async () => {
  const document = await PDFDocument.create();
  for (const name of NAMES) document.addPage([400, 200]).drawText(`Dear ${name} of Kent`, { x: 40, y: 100, size: 12 });
  writeFileSync(here.at('letters.pdf'), await document.save());
  const find = NAMES.flatMap((name) => ['--find', name]);
  await pdftool(['redact', 'letters.pdf', ...find, '--yes', '-o', 'out.pdf'], { cwd: here.path });
  const { stdout } = await execa('qpdf', ['--qdf', '--object-streams=disable', here.at('out.pdf'), '-']);
  const gaps = [...stdout.matchAll(/\] ?TJ/g)].map(({ index }) => /(-[\d.]+)[^[-]*$/.exec(stdout.slice(0, index))?.[1]);
  const boxes = [...stdout.matchAll(/([\d.]+) [\d.]+ re f/g)].map(([, width]) => width);
  expect([gaps.length, boxes.length]).toEqual([NAMES.length, NAMES.length]);
  expect([...new Set(gaps)]).toHaveLength(1);
  expect([...new Set(boxes)]).toHaveLength(1);
});
