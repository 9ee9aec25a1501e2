import { Failure } from '../../../contract/failure.ts';
import { makeFolder } from '../../../runtime/files/folder.ts';
import { packageFile, packagesOf } from '../../../runtime/folders/package-files.ts';
import { packagesFolder } from '../../../runtime/folders/user-folders.ts';
import { systemPrograms } from '../../../runtime/processes/programs.ts';
import type { OwnCall } from '../../line/call.ts';
import { tell } from '../../run/show.ts';

/** Milliseconds that npm has: a package of data has up to 15 MB. */
const PATIENCE = 600_000;

/** `ocr languages list` and `ocr languages add`. */
export async function run(call: OwnCall): Promise<number> {
  return call.subcommand === 'add' ? add(call) : list(call);
}

async function list({ signal, flags, streams, messages }: OwnCall): Promise<number> {
  const { CORE, systemTesseract } = await import('../../../ocr/recogniser.ts');
  const system = await systemTesseract(systemPrograms, signal);
  const hasCore = await packageFile(`${CORE}/package.json`).then(
    () => true,
    () => false,
  );
  const added = hasCore ? packagesOf('@tesseract.js-data') : [];
  const names = [...new Set([...(system?.languages ?? []), ...added])].filter((name) => name !== 'osd').sort();
  const languages = names.map((language) => ({
    language,
    by: system?.languages.includes(language) === true ? system.version : CORE,
  }));
  if (flags.json) streams.json({ ok: true, languages });
  else streams.out(languages.map(({ language, by }) => `${language}  ${by}\n`).join(''));
  if (languages.length === 0) messages.note('none; install tesseract, or add one: pdftool ocr languages add eng');
  return 0;
}

async function add(call: OwnCall): Promise<number> {
  const { args, signal, messages } = call;
  const { CORE, dataPackage } = await import('../../../ocr/recogniser.ts');
  const wrong = args.find((language) => !/^[a-z]{3}(_[a-z]{2,8})?$/.test(language));
  if (wrong !== undefined) {
    throw new Failure('usage', `expected the three letters of a language, such as deu, found ${wrong}`);
  }
  const npm = systemPrograms.find('npm');
  if (npm === undefined) {
    throw new Failure('unavailable', 'npm is not on PATH; it fetches the data of languages', {
      hint: 'Install Node.js with npm, or the tesseract of your system with its languages.',
    });
  }
  const folder = packagesFolder().path;
  makeFolder(folder);
  const packages = [`${CORE}@7`, ...args.map((language) => `${dataPackage(language)}@1`)];
  messages.note(`npm fetches ${packages.join(', ')} into ${folder}`);
  // None of them has anything to run when it is installed.
  const words = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--save', ...packages];
  const { code, said } = await systemPrograms.run(npm, words, { signal, patience: PATIENCE, most: 1 << 20 });
  if (code !== 0) {
    const last = said.trim().split('\n').slice(-6).join('\n');
    throw new Failure('unavailable', `npm could not fetch ${packages.join(', ')}:\n${last}`, {
      hint: 'The names of languages are those of tesseract: see the packages of @tesseract.js-data.',
    });
  }
  tell(call, { ok: true, languages: args.join(', '), folder });
  return 0;
}
