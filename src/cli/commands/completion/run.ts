import { Failure } from '../../../contract/base/failure.ts';
import { nearest } from '../../../contract/nearest.ts';
import { COMPLETIONS, SHELLS } from '../../../derive/completions/all.ts';
import { ASKED, type Asked } from '../../../derive/shape.ts';
import { CONFIG_KEYS, DEFAULT_PROFILE, openConfig } from '../../../runtime/settings/config.ts';
import type { OwnCall } from '../../line/call.ts';

export async function run({ args: [name = ''], streams, describe }: OwnCall): Promise<number> {
  const shell = SHELLS.find((known) => known === name);
  if (shell === undefined) {
    const meant = nearest(name, SHELLS);
    throw new Failure('usage', `expected one of ${SHELLS.join(', ')}, found ${name}`, {
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Run pdftool completion --help.`,
    });
  }
  streams.out(COMPLETIONS[shell].make(await describe()));
  return 0;
}

/** Prints a word on each line. It runs while somebody types, so unreadable files are left out silently. */
export async function printCompletions({ args: [name = ''], streams }: OwnCall): Promise<number> {
  const asked = ASKED.find((known) => known === name);
  if (asked === undefined) return 0;
  try {
    const words = await SOURCES[asked]();
    // Our names have no control characters; a file that was edited by hand may.
    const safe = words.filter((word) => /^[^\p{Cc}\p{Cf}]+$/u.test(word));
    streams.out(safe.map((word) => `${word}\n`).join(''));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  return 0;
}

const SOURCES: Readonly<Record<Asked, () => Promise<readonly string[]>>> = {
  // Ids in this machine's journal.
  jobs: async () => {
    const { openJournalPorts } = await import('../../engines/journal.ts');
    const { journal } = openJournalPorts({ baseUrl: undefined, profile: DEFAULT_PROFILE });
    return journal.list('speech', 'workflow').map(({ id }) => id);
  },
  profiles: async () => {
    const named = Object.keys(openConfig().list()).flatMap((key) => /^profiles\.(.+)\.[^.]+$/.exec(key)?.[1] ?? []);
    return [...new Set([DEFAULT_PROFILE, ...named])];
  },
  settings: async () => Object.keys(CONFIG_KEYS),
};
