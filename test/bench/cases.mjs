import { bareProgram } from './bare.mjs';
import { fixture, input, manual, pieces } from './inputs.mjs';
import { TEXT_CASES } from './text-cases.mjs';

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} says what it is, for the table
 * @property {number} runs
 * @property {(out: string) => string[]} args for pdftool; `out` is a file or a folder in a fresh place
 * @property {(out: string, program: string) => Record<string, string[]>} peers by name, the whole command line
 * @property {Record<string, number>} bars by peer: the largest ratio of pdftool's time to the peer's
 * @property {boolean} [cpu] CPU time is compared, not the clock's
 * @property {number} [seconds] the most it may take
 * @property {number} [memory] bytes it may hold, where that is not MOST_MEMORY
 * @property {boolean} [asItIs] the peer is Node as it starts here, with authorities of NODE_EXTRA_CA_CERTS if there are any
 * @property {boolean} [sized] the output must not be larger than qpdf's
 */

/** Bytes that pdftool may hold, unless a case says otherwise: 110 MB. */
export const MOST_MEMORY = 110_000_000;

/** @type {Case[]} */
export const CASES = [
  {
    name: 'merge-50mb',
    says: 'merge 2 files over 50 MB',
    runs: 5,
    ...merging(() => [input('text-50mb'), input('photos-50mb')]),
    bars: { qpdf: 0.1, mutool: 0.5 },
  },
  {
    name: 'merge-manuals',
    says: 'merge 2 manuals (object streams)',
    runs: 5,
    ...merging(() => [manual('octave'), manual('refman')]),
    bars: { qpdf: 0.25 },
  },
  ...[
    ['merge-structure', 'merge 2 manuals, structure kept', () => [manual('octave'), manual('refman')]],
    ['merge-itself', 'merge a manual with itself', () => [manual('octave'), manual('octave')]],
  ].map(([name, says, files]) => ({
    name,
    says,
    runs: 11,
    args: (out) => ['merge', ...files(), '-o', out],
    peers: (out) => ({
      'bare copy': [process.execPath, bareProgram(), 'merge', ...files(), '-o', out, '--local', '--quiet'],
    }),
    bars: { 'bare copy': 1.3 },
  })),
  // Pages that are picked cost what whole files cost. Nearly all of a manual, since a copy of all of it is known to be one.
  ...[
    [
      'take',
      'take all pages of a manual but the last',
      ['pages', 'take', manual('octave'), '1-r2'],
      ['merge', manual('octave'), fixture('lorem-ipsum.pdf')],
    ],
    // Beside a merge that has to read the names of destinations too, since both files have some.
    [
      'take-names',
      'take all pages of a manual but the last',
      ['pages', 'take', manual('octave'), '1-r2'],
      ['merge', manual('octave'), input('one-page')],
    ],
    [
      'merge-ranges',
      'merge 2 manuals but for their last pages',
      ['merge', manual('octave'), '--pages', '1-r2', manual('refman'), '--pages', '1-r2'],
      ['merge', manual('octave'), manual('refman')],
    ],
  ].map(([name, says, own, whole]) => ({
    name,
    says,
    runs: 11,
    args: (out) => [...own, '-o', out],
    peers: (out, program) => ({ merge: [process.execPath, program, ...whole, '-o', out, '--local', '--quiet'] }),
    bars: { merge: 1.1 },
  })),
  {
    name: 'merge-20',
    says: 'merge 20 files of about 1 MB',
    runs: 7,
    ...merging(pieces),
    bars: { qpdf: 0.35 },
  },
  {
    name: 'split-500',
    says: 'split 500 pages to files',
    runs: 7,
    args: (out) => ['split', input('first-500'), '-o', out],
    peers: (out) => ({ qpdf: ['qpdf', '--split-pages', input('first-500'), `${out}/page-%d.pdf`] }),
    bars: { qpdf: 1.2 },
    sized: true,
  },
  ...['octave', 'refman'].map((name) => ({
    name: `rotate-${name}`,
    says: `rotate ${name}.pdf`,
    runs: 7,
    args: (out) => ['rotate', manual(name), '--angle', '90', '-o', out],
    peers: (out) => ({ qpdf: ['qpdf', '--rotate=+90:1-z', manual(name), out] }),
    bars: { qpdf: 0.5 },
    sized: true,
  })),
  {
    name: 'merge-tiny',
    says: 'merge 2 tiny files',
    runs: 21,
    args: (out) => ['merge', fixture('rotated-270.pdf'), fixture('inherited.pdf'), '-o', out],
    peers: () => ({ 'node -e 0': [process.execPath, '-e', '0'] }),
    bars: { 'node -e 0': 2.5 },
    asItIs: true,
  },
  {
    name: 'version',
    says: '--version',
    runs: 21,
    args: () => ['--version'],
    peers: () => ({ 'node -e 0': [process.execPath, '-e', '0'] }),
    bars: { 'node -e 0': 1.1 },
    asItIs: true,
  },
  {
    name: 'help',
    says: '--help',
    runs: 21,
    args: () => ['--help'],
    peers: () => ({ 'node -e 0': [process.execPath, '-e', '0'] }),
    bars: { 'node -e 0': 1.3 },
    asItIs: true,
  },
  {
    name: 'merge-1gb',
    says: 'merge 1 GB and a tiny file',
    runs: 1,
    args: (out) => ['merge', input('1gb'), fixture('inherited.pdf'), '-o', out],
    peers: (out) => ({ cp: ['cp', input('1gb'), out] }),
    bars: {},
  },
  ...TEXT_CASES,
];

function merging(files) {
  return {
    args: (out) => ['merge', ...files(), '-o', out],
    peers: (out) => ({
      qpdf: ['qpdf', '--empty', '--pages', ...files(), '--', out],
      mutool: ['mutool', 'merge', '-o', out, ...files()],
    }),
    sized: true,
  };
}
