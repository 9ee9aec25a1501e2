// The operations that the page offers, computed from the contract's rows.
import { type Field, flag, text } from '../contract/field.ts';
import { ANY, typeNamed } from '../contract/media.ts';
import { GROUPS, type ServiceOperation, wordsOf } from '../contract/operation.ts';
import { SERVICE_OPERATIONS } from '../contract/operations/all.ts';
import { redactInspect } from '../contract/operations/edit/redaction.ts';
import { workflowCreate } from '../contract/operations/service/workflow.ts';
import { LINES_OF_OTHER_WORDS } from '../contract/other-words.ts';

/** A row's file fields; the first takes the chosen documents, the others have their own control. */
export function fileFields(op: ServiceOperation): string[] {
  return Object.keys(op.input).filter((name) => isFile(op.input[name]));
}

export function isFile(field: Field | undefined): field is Extract<Field, { kind: 'file' | 'files' }> {
  return field?.kind === 'file' || field?.kind === 'files';
}

/** Whether a chosen value excludes a field. */
export function excludes(op: ServiceOperation, name: string, values: Readonly<Record<string, string>>): boolean {
  return (op.exclusive ?? []).some((names) => names.includes(name) && names.some((other) => other in values));
}

/** The inspection as an operation; on the command line it is `pdftool redact`. */
export const REDACT: ServiceOperation = {
  ...workflowCreate,
  ...redactInspect,
  name: 'redact',
  surface: 'command',
  summary: 'Find what to black out, look at it, and remove it',
  description:
    'Nothing is removed before you have seen and ticked it. Finding costs a credit, and removing another one',
  cost: { credits: 1 },
  input: {
    file: redactInspect.input.file,
    find: text('A name or other words to find, capitals alike'),
    regex: text('Regular expression to find'),
    kinds: text('What else to find, with commas between: email, phone, card, iban, ssn'),
    ocr: flag('Fail where nothing can recognise the words of pictures'),
  },
  needsOneOf: ['find', 'regex', 'kinds'],
};

/** Rows that work on files. The page itself calls others, such as the account. */
export const PAGE_ROWS: readonly ServiceOperation[] = [...SERVICE_OPERATIONS, REDACT].filter(
  (op) => op.surface === 'command' && op.local === true && op.disabled === undefined && fileFields(op).length > 0,
);

/** Words for it from other programs. */
function otherWords(op: ServiceOperation): string {
  const lines = Object.entries(LINES_OF_OTHER_WORDS).filter(([line]) => line.startsWith(`${wordsOf(op)} `));
  return lines.map(([, words]) => words).join(' ');
}

/** The rows by group that match the search. */
export function groupedRows(search: string): { title: string; rows: ServiceOperation[] }[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (op: ServiceOperation) => {
    const text = [wordsOf(op), ...op.aliases, op.summary, op.description ?? '', otherWords(op)].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return Object.entries(GROUPS)
    .map(([group, title]) => ({ title, rows: PAGE_ROWS.filter((op) => op.group === group && fits(op)) }))
    .filter(({ rows }) => rows.length > 0);
}

/** Why the row cannot work on files of these names, by number or type; undefined if it can. */
export function whyNot(op: ServiceOperation, names: readonly string[]): string | undefined {
  const field = op.input[fileFields(op)[0] ?? ''];
  if (!isFile(field)) return 'this operation takes no files';
  const least = field.kind === 'files' ? field.min : 1;
  if (names.length < least) return least === 1 ? 'choose a document first' : `choose at least ${least} documents`;
  const takes = (name: string) => field.types.includes(ANY) || field.types.includes(typeNamed(name) ?? '');
  const wrong = names.find((name) => !takes(name));
  return wrong === undefined ? undefined : `${wrong} is no file that it takes`;
}

/** The price of a run in words. */
export function priceOf({ cost }: ServiceOperation): string {
  if ('credits' in cost)
    return cost.credits === 0 ? 'free' : cost.credits === 1 ? '1 credit' : `${cost.credits} credits`;
  if ('creditsPerMinute' in cost) return `${cost.creditsPerMinute} credits for each minute of sound`;
  return 'credits by what is done';
}
