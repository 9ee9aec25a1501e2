// Recognises the words of a picture: by the system's tesseract, else by tesseract in WebAssembly where its packages are
// installed. Each page has a process of its own, so that one that hangs or crashes does no harm.

import { Failure } from '../contract/base/failure.ts';
import type { Context, Programs } from '../contract/base/ports.ts';
import { field, say } from '../contract/base/wording.ts';
import { type HocrLine, readHocr } from './hocr.ts';

/** Milliseconds that one page may take. */
const PATIENCE = 300_000;
/** Bytes of hOCR that a page may give. */
const MOST = 64 << 20;
/** Milliseconds for a question about the program itself. */
const BRIEFLY = 20_000;

export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly dpi: number;
}

export interface Recogniser {
  /** Such as `tesseract 5.3.0`. */
  readonly name: string;
  recognise(picture: GreyPicture): Promise<HocrLine[]>;
  /** Clockwise quarter turns that make the picture upright; undefined where that is not clear. */
  quartersToUpright?(picture: GreyPicture): Promise<number | undefined>;
}

type Machine = Pick<Context, 'programs' | 'packageFile' | 'signal'>;

/** @throws Failure `unavailable` that says what to install; `usage` for malformed languages. */
export async function findRecogniser(languages: string, machine: Machine): Promise<Recogniser> {
  if (!/^[a-z][a-z_]{2,15}(\+[a-z][a-z_]{2,15}){0,7}$/i.test(languages)) {
    throw new Failure('usage', `expected languages such as eng or eng+deu, found ${languages}`, {
      hint: 'They are named by three letters (ISO 639-2).',
    });
  }
  const { programs } = machine;
  if (programs === undefined) throw new Failure('unavailable', 'no program may be run here that recognises words');
  const wanted = languages.split('+');
  const system = await systemTesseract(programs, machine.signal);
  const missing = wanted.filter((language) => system?.languages.includes(language) !== true);
  if (system !== undefined && missing.length === 0)
    return systemRecogniser(system, languages, programs, machine.signal);
  const lacking = await lackingPackages(wanted, machine);
  if (lacking.length === 0) return wasmRecogniser(languages, programs, machine.signal);
  throw notInstalled(system, missing, lacking);
}

interface System {
  readonly path: string;
  readonly version: string;
  readonly languages: readonly string[];
}

/** The tesseract of this machine; undefined where there is none, or it does not run. */
export async function systemTesseract(programs: Programs, signal: AbortSignal): Promise<System | undefined> {
  const path = programs.find('tesseract');
  if (path === undefined) return undefined;
  const options = { signal, patience: BRIEFLY, most: 1 << 20 };
  const asked = ['--version', '--list-langs'].map((word) => programs.run(path, [word], options));
  // A program that does not run counts as missing.
  const [version, list] = (await Promise.all(asked).catch(() => undefined)) ?? [];
  signal.throwIfAborted();
  if (version?.code !== 0 || list?.code !== 0) return undefined;
  const [name, languages = ''] = [version, list].map(
    ({ bytes, output }) => Buffer.from(bytes).toString('utf8') + output,
  );
  return {
    path,
    version: name?.split('\n')[0] ?? 'tesseract',
    languages: (/:\n([\s\S]*)/.exec(languages)?.[1] ?? '').split('\n').filter((line) => line !== ''),
  };
}

/** Packages that tesseract in WebAssembly lacks for these languages. */
async function lackingPackages(languages: readonly string[], machine: Machine): Promise<string[]> {
  const { packageFile } = machine;
  const names = [CORE, ...languages.map(dataPackage)];
  if (packageFile === undefined) return names;
  const has = (path: string) =>
    packageFile(path).then(
      () => true,
      () => false,
    );
  const lacking: string[] = [];
  for (const name of names) if (!(await has(`${name}/package.json`))) lacking.push(name);
  return lacking;
}

export const CORE = 'tesseract.js-core';

export function dataPackage(language: string): string {
  return `@tesseract.js-data/${language}`;
}

function notInstalled(system: System | undefined, missing: readonly string[], lacking: readonly string[]): Failure {
  const names = missing.join(', ');
  const debian = missing.map((language) => `tesseract-ocr-${language.replaceAll('_', '-')}`).join(' ');
  const npm = `pdftool ocr languages add ${missing.join(' ')}`;
  if (system === undefined) {
    const hint = `Install tesseract (apt install tesseract-ocr ${debian}), or let npm fetch it: ${npm}.`;
    return new Failure('unavailable', `nothing that recognises words is installed (${lacking.join(', ')})`, { hint });
  }
  const message = `tesseract has no data for ${missing.length === 1 ? 'the language' : 'the languages'} ${names}`;
  return new Failure('unavailable', message, {
    hint: `Install it (apt install ${debian}), or let npm fetch it: ${npm}.`,
  });
}

function systemRecogniser(
  { path, version, languages: all }: System,
  languages: string,
  programs: Programs,
  signal: AbortSignal,
): Recogniser {
  const run = async (args: readonly string[], picture: GreyPicture) =>
    programs.run(path, ['stdin', 'stdout', ...args], {
      signal,
      patience: PATIENCE,
      most: MOST,
      input: greymap(picture),
      // Pages run in parallel, and a second thread gains little within one page.
      environment: { OMP_THREAD_LIMIT: '1' },
    });
  const recogniser: Recogniser = {
    name: version,
    async recognise(picture) {
      const dpi = String(Math.round(picture.dpi));
      // 3: full page segmentation, the default of the program but not of the library.
      const args = ['-l', languages, '--psm', '3', '--dpi', dpi, '-c', 'tessedit_create_hocr=1'];
      const { code, bytes, output } = await run(args, picture);
      return linesOf(version, code, bytes, output);
    },
  };
  if (!all.includes('osd')) return recogniser;
  return {
    ...recogniser,
    async quartersToUpright(picture) {
      const { code, bytes } = await run(['-l', 'osd', '--psm', '0'], picture);
      const text = Buffer.from(bytes).toString('utf8');
      const degrees = Number(/^Rotate: (\d+)/m.exec(text)?.[1] ?? Number.NaN);
      const sure = Number(/^Orientation confidence: ([\d.]+)/m.exec(text)?.[1] ?? 0);
      // It fails on pages with too few letters.
      return code === 0 && degrees % 90 === 0 && sure > SURE ? degrees / 90 : undefined;
    },
  };
}

/** Orientation confidence above which tesseract is nearly always right. */
const SURE = 2;

function wasmRecogniser(languages: string, programs: Programs, signal: AbortSignal): Recogniser {
  const [path = '', ...args] = programs.ownCommand;
  // Other programs get none of our settings, but this one must find the same packages.
  const added = programs.setting('PDFTOOL_PACKAGES_DIR');
  const environment = added === undefined ? {} : { PDFTOOL_PACKAGES_DIR: added };
  return {
    name: CORE,
    async recognise(picture) {
      const command = [...args, '__recognise', languages, String(Math.round(picture.dpi))];
      const options = { signal, patience: PATIENCE, most: MOST, input: greymap(picture), environment };
      const { code, bytes, output } = await programs.run(path, command, options);
      return linesOf(CORE, code, bytes, output);
    },
  };
}

function linesOf(name: string, code: number | undefined, bytes: Uint8Array, output: string): HocrLine[] {
  if (code === 0) return readHocr(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  const why =
    code === undefined ? `did not end within ${PATIENCE / 1000} s, or was ended` : `ended with exit code ${code}`;
  const last = output.trim().split('\n').at(-1) ?? '';
  throw new Failure('unprocessable', `${name} ${why}${last === '' ? '' : `: ${last}`}`, {
    hint: say`Leave the page out with ${field('pages')}, or try it alone.`,
  });
}

/** The picture as PGM, which needs no encoding. */
function greymap({ width, height, pixels }: GreyPicture): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), pixels]);
}
