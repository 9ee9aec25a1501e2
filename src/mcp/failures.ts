import type { Failure } from '../contract/failure.ts';

/** Flags that only a person can give, who starts the server. */
const FOR_PERSON = /--(local|remote|profile|timeout|debug|again|yes|root|max-credits)\b|\bpdftool \w/;

/** What is said of a failure to an agent: the words of its arguments, not of the command line. */
export function failureAnswer({ code, message, hint, charged, kind, status }: Failure): Record<string, unknown> {
  const error = { code, message, hint: hintFor(code, hint, charged), charged, kind, status };
  return { ok: false, error: Object.fromEntries(Object.entries(error).filter(([, value]) => value !== undefined)) };
}

/** The same as text, for clients that show no structure. */
export function failureText({ code, message, hint, charged }: Failure): string {
  const lines = [message, hintFor(code, hint, charged), CHARGED[charged]];
  return lines.filter((line) => line !== undefined && line !== '').join('\n');
}

const CHARGED = {
  no: 'Nothing was charged.',
  yes: 'It was charged.',
  unknown: 'It may have been charged. Do not repeat it: ask account what was charged.',
} as const;

function hintFor(code: Failure['code'], hint: string | undefined, charged: Failure['charged']): string | undefined {
  if (charged === 'unknown') return 'Ask account what was charged before anything is done again.';
  if (code === 'output_exists') return 'Name another output, or leave output out: then a free name is found.';
  if (hint === undefined) return undefined;
  if (FOR_PERSON.test(hint) && !hint.includes(' person ')) return `For a person: ${hint}`;
  // Arguments are called as flags are, with other marks.
  return hint
    .replace(/--([a-z]+(?:-[a-z]+)*)/g, (_, flag: string) => flag.replaceAll('-', '_'))
    .replace(/(^|\s)-o\b/g, '$1output');
}
