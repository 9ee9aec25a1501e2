/**
 * Something that each surface spells in its own way. field: of an operation's input, with the value it should have.
 * setting: an option of the command line that no operation knows, such as --local. command: a command that is no
 * operation, such as `account`.
 */
export type Named =
  | { readonly field: string; readonly value?: string | number | true | undefined }
  | { readonly setting: string; readonly value?: string | number | undefined }
  | { readonly operation: string }
  | { readonly command: string };

/** A sentence of which surfaces spell the names. It is plain data, so that it crosses processes as it is. */
export type Wording = string | readonly (string | Named)[];

/** say`${field('margin')} leaves no room` */
export function say(texts: TemplateStringsArray, ...values: readonly (Wording | Named | number)[]): Wording {
  const parts = texts.flatMap((text, i) => {
    const value = values[i];
    if (value === undefined) return [text];
    return [text, ...(Array.isArray(value) ? value : [typeof value === 'number' ? String(value) : value])];
  });
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts;
}

export function field(name: string, value?: string | number | true): Named {
  return { field: name, value };
}

export function setting(name: string, value?: string | number): Named {
  return { setting: name, value };
}

export function operation(name: string): Named {
  return { operation: name };
}

export function command(words: string): Named {
  return { command: words };
}

export type Spelling = (named: Named) => string;

export function spelled(wording: Wording, spelling: Spelling): string {
  if (typeof wording === 'string') return wording;
  return wording.map((part) => (typeof part === 'string' ? part : spelling(part))).join('');
}

/** What requests and JSON call it: `margin`, `format=png`. */
export const asFields: Spelling = (named) => {
  if ('operation' in named) return named.operation;
  if ('command' in named) return `pdftool ${named.command}`;
  const name = 'field' in named ? named.field : named.setting;
  return named.value === undefined ? name : `${name}=${named.value}`;
};
