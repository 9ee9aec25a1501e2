/**
 * Something that each surface spells in its own way. field: of an operation's input, with the value it should have.
 * setting: an option of the command line that is no field, such as --local. command: a command that is no operation,
 * such as `account`.
 */
export type NamedThing =
  | { readonly field: string; readonly value?: string | number | true | undefined }
  | { readonly setting: string; readonly value?: string | number | undefined }
  | { readonly operation: string }
  | { readonly command: string };

/** A sentence in which surfaces spell the names. It is plain data, so that it can be sent to other processes. */
export type Wording = string | readonly (string | NamedThing)[];

/** say`${field('margin')} leaves no room` */
export function say(texts: TemplateStringsArray, ...values: readonly (Wording | NamedThing | number)[]): Wording {
  const parts = texts.flatMap((text, i) => {
    const value = values[i];
    if (value === undefined) return [text];
    return [text, ...(Array.isArray(value) ? value : [typeof value === 'number' ? String(value) : value])];
  });
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts;
}

export function field(name: string, value?: string | number | true): NamedThing {
  return { field: name, value };
}

export function setting(name: string, value?: string | number): NamedThing {
  return { setting: name, value };
}

export function operationNamed(name: string): NamedThing {
  return { operation: name };
}

export function command(words: string): NamedThing {
  return { command: words };
}

export type Spelling = (named: NamedThing) => string;

export function spelled(wording: Wording, spelling: Spelling): string {
  if (typeof wording === 'string') return wording;
  return wording.map((part) => (typeof part === 'string' ? part : spelling(part))).join('');
}

/** The spelling of requests and JSON: `margin`, `format=png`. */
export const asFields: Spelling = (named) => {
  if ('operation' in named) return named.operation;
  if ('command' in named) return `pdftool ${named.command}`;
  const name = 'field' in named ? named.field : named.setting;
  return named.value === undefined ? name : `${name}=${named.value}`;
};

export function pagesOf(count: number): string {
  return count === 1 ? '1 page' : `${count} pages`;
}
