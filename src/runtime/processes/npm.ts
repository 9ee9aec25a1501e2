import { Failure } from '../../contract/base/failure.ts';
import { makeFolder } from '../files/system/folder.ts';
import { packagesFolder } from '../folders/user-folders.ts';
import { systemPrograms } from './programs.ts';

/** Milliseconds allowed for npm: some packages have 20 MB. */
const PATIENCE = 600_000;

interface PackageRequest {
  /** Such as `sharp@^0.35.5`. */
  readonly packages: readonly string[];
  /** What to do where npm cannot fetch them. */
  readonly hint: string;
  readonly signal: AbortSignal;
  note(line: string): void;
}

/** Has npm fetch packages into this program's folder of added packages, whose path it returns; none of their scripts runs. */
export async function addPackages({ packages, hint, signal, note }: PackageRequest): Promise<string> {
  const npm = systemPrograms.find('npm');
  if (npm === undefined) {
    throw new Failure('unavailable', `npm is not on PATH; it fetches ${packages.join(', ')}`, {
      hint: `Install Node.js with npm. ${hint}`,
    });
  }
  const folder = packagesFolder().path;
  makeFolder(folder);
  note(`npm fetches ${packages.join(', ')} into ${folder}`);
  const words = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--save', ...packages];
  const { code, output } = await systemPrograms.run(npm, words, { signal, patience: PATIENCE, most: 1 << 20 });
  if (code === 0) return folder;
  const last = output.trim().split('\n').slice(-6).join('\n');
  throw new Failure('unavailable', `npm could not fetch ${packages.join(', ')}:\n${last}`, { hint });
}
