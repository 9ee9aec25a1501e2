import { join } from 'node:path';
import { input, manual } from './inputs.mjs';

const MIB = 1024 * 1024;
const PDFIUM = join(import.meta.dirname, 'pdfium-text.mjs');

const poppler = (path, out) => ({ pdftotext: ['pdftotext', path, out] });
const pdfium = (path, out) => ({ 'PDFium wasm': [process.execPath, PDFIUM, path, out] });
const own = (path, out, program) => ({
  'extract-text': [process.execPath, program, 'extract-text', path, '-o', out, '--local', '--quiet'],
});

const extract = (path) => (out) => ['extract-text', path(), '-o', out];
const markdown = (path) => (out) => ['markdown', path(), '-o', out];

const ONE = () => input('one-page');
const SOME = () => input('first-300');
const MANY = () => input('first-566');
const OCTAVE = () => manual('octave');
const REFMAN = () => manual('refman');

/** @type {import('./cases.mjs').Case[]} */
export const TEXT_CASES = [
  {
    name: 'text-1',
    says: 'extract-text of 1 page',
    runs: 11,
    args: extract(ONE),
    peers: () => ({ 'node -e 0': [process.execPath, '-e', '0'] }),
    bars: {},
    seconds: 0.25,
  },
  {
    name: 'text-300',
    says: 'extract-text of 300 pages',
    runs: 5,
    args: extract(SOME),
    peers: (out) => ({ ...pdfium(SOME(), out), ...poppler(SOME(), out) }),
    bars: { 'PDFium wasm': 3.0 },
  },
  {
    name: 'text-566',
    says: 'extract-text of 566 pages',
    runs: 5,
    args: extract(MANY),
    peers: (out) => ({ ...poppler(MANY(), out), ...pdfium(MANY(), out) }),
    bars: { pdftotext: 1.7, 'PDFium wasm': 3.0 },
    memory: 180 * MIB,
  },
  {
    name: 'markdown-566',
    says: 'markdown of 566 pages',
    runs: 5,
    args: markdown(MANY),
    peers: (out, program) => own(MANY(), out, program),
    bars: { 'extract-text': 1.5 },
    memory: 180 * MIB,
  },
  {
    name: 'text-octave',
    says: 'extract-text of octave.pdf',
    runs: 3,
    args: extract(OCTAVE),
    peers: (out) => ({ ...poppler(OCTAVE(), out), ...pdfium(OCTAVE(), out) }),
    bars: { pdftotext: 1.7, 'PDFium wasm': 3.0 },
    memory: 300 * MIB,
  },
  {
    name: 'text-refman',
    says: 'extract-text of refman.pdf',
    runs: 3,
    args: extract(REFMAN),
    peers: (out) => ({ ...poppler(REFMAN(), out), ...pdfium(REFMAN(), out) }),
    bars: { pdftotext: 1.7, 'PDFium wasm': 3.0 },
    memory: 300 * MIB,
  },
  {
    name: 'markdown-refman',
    says: 'markdown of refman.pdf',
    runs: 3,
    args: markdown(REFMAN),
    peers: (out, program) => own(REFMAN(), out, program),
    bars: { 'extract-text': 1.5 },
    memory: 300 * MIB,
  },
].map((each) => ({ ...each, cpu: true }));
