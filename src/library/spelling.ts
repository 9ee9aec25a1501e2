import { asCommandLine, camelCase } from '../contract/spelling.ts';
import { command, type NamedThing, type Spelling } from '../contract/wording.ts';

/** Names that are more than a row's own name in camelCase would say, or another one. */
const SETTINGS: Readonly<Record<string, string>> = {
  remote: "with engine: 'remote'",
  local: "with engine: 'local'",
  'password-file': 'password',
};

/** What callers of the library call it: `margin`, `format: "png"`, `imagesToPdf()`. */
export const asProperties: Spelling = (named: NamedThing) => {
  if ('command' in named) return asCommandLine(command(named.command));
  if ('operation' in named) return `${camelCase(named.operation)}()`;
  const name = 'field' in named ? camelCase(named.field) : (SETTINGS[named.setting] ?? camelCase(named.setting));
  return named.value === undefined ? name : `${name}: ${JSON.stringify(named.value)}`;
};
