import { asCommandLine, camelCase } from '../contract/spelling.ts';
import { command, type NamedThing, type Spelling } from '../contract/wording.ts';

/** Property names that do not follow from a row's or setting's own name. */
const SETTINGS: Readonly<Record<string, string>> = {
  remote: "with engine: 'remote'",
  local: "with engine: 'local'",
  'password-file': 'password',
};

/** The library's spelling: `margin`, `format: "png"`, `imagesToPdf()`. */
export const asProperties: Spelling = (named: NamedThing) => {
  if ('command' in named) return asCommandLine(command(named.command));
  if ('operation' in named) return `${camelCase(named.operation)}()`;
  const name = 'field' in named ? camelCase(named.field) : (SETTINGS[named.setting] ?? camelCase(named.setting));
  return named.value === undefined ? name : `${name}: ${JSON.stringify(named.value)}`;
};
