import { Failure } from '../../../contract/base/failure.ts';
import { packageFile, packagesOf } from '../../../runtime/folders/package-files.ts';
import { addPackages } from '../../../runtime/processes/npm.ts';
import { systemPrograms } from '../../../runtime/processes/programs.ts';
import type { OwnCall } from '../../line/call.ts';
import { tell } from '../../run/show.ts';

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
  const folder = await addPackages({
    packages: [`${CORE}@7`, ...args.map((language) => `${dataPackage(language)}@1`)],
    hint: 'The names of languages are those of tesseract: see the packages of @tesseract.js-data. Or install the tesseract of your system.',
    signal,
    note: (line) => messages.note(line),
  });
  tell(call, { ok: true, languages: args.join(', '), folder });
  return 0;
}
