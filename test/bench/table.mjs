// The measured table of docs/comparison.md, which `run.mjs --table` writes.
import { median } from './measure.mjs';

/** The cases that the table has, by name, with what they are called there. */
export const ROWS = {
  'merge-50mb': 'merge two files of more than 50 MB each',
  'merge-20': 'merge 20 files of about 1 MB',
  'rotate-refman': 'rotate a manual of 2,415 pages',
  'split-500': 'split 500 pages into files',
};
const PROGRAMS = ['pdftool', 'mutool', 'qpdf'];
const BEGIN = '<!-- measured: node test/bench/run.mjs --table -->';
const END = '<!-- /measured -->';

/**
 * @param {string} node version of Node.js
 * @param {Record<string, Record<string, { ms: number[], bytes: number[] }>>} results by case and program
 */
export function measuredTable(node, results) {
  const cell = (measured) =>
    measured === undefined
      ? '–'
      : `${(median(measured.ms) / 1000).toFixed(1)} s, ${(median(measured.bytes) / 1_000_000).toFixed(0)} MB`;
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    `Measured on Node.js ${node}, whole processes, medians of interleaved runs, time and peak memory:`,
    '',
    line(['', ...PROGRAMS]),
    line(['', ...PROGRAMS].map(() => '---')),
    ...Object.entries(ROWS).map(([name, says]) => line([says, ...PROGRAMS.map((of) => cell(results[name]?.[of]))])),
  ].join('\n');
}

/** The document with another table between the two marks. */
export function withTable(document, table) {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`expected ${BEGIN} and ${END} in the document`);
  return `${document.slice(0, begin)}${BEGIN}\n${table}\n${document.slice(end)}`;
}

/** What stands between the two marks. */
export function tableIn(document) {
  return document.slice(document.indexOf(BEGIN) + BEGIN.length, document.indexOf(END)).trim();
}
