import { hasForm, readText } from './judges.mjs';

/** Pages that another reader is asked for. */
const PAGES_JUDGED = 3;
/** The share of another reader's characters that must be there. Readers differ over fonts that say little of themselves. */
const SHARE = 0.9;

/** What is wrong with a text record, in a few words each. */
export async function textProblems({ path, pages, bomb, exact }, { answer, left }, text) {
  const problems = [];
  const count = answer?.page_count;
  if (typeof text !== 'string') problems.push('no text');
  if (!Number.isInteger(count) || count < 1) problems.push(`page_count is ${count}`);
  if (pages !== null && count !== pages) problems.push(`page_count is ${count}, not ${pages}`);
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text ?? '')) problems.push('control characters');
  if (left.length > 0) problems.push(`left ${left.join(', ')}`);
  // The readers below read the values of form fields as well, which are no part of a text layer.
  if (problems.length > 0 || bomb || (await hasForm(path))) return problems;
  // Generated files draw one line on itself fifty thousand times: it is read once.
  return missing(path, Math.min(count, PAGES_JUDGED), text, exact ? 1 : Number.POSITIVE_INFINITY);
}

/** One of two readers must find no more than we do. */
async function missing(path, pages, text, most) {
  const ours = counted(text, most);
  let best = 0;
  for (const reader of ['pdftotext', 'mutool']) {
    let theirs = '';
    for (let page = 1; page <= pages; page += 1) theirs += (await readText(reader, path, page)) ?? '';
    best = Math.max(best, share(counted(theirs, most), ours));
  }
  return best >= SHARE ? [] : [`has ${(100 * best).toFixed(0)} % of the text that others find`];
}

function share(theirs, ours) {
  let [all, found] = [0, 0];
  for (const [character, count] of theirs) {
    all += count;
    found += Math.min(count, ours.get(character) ?? 0);
  }
  return all === 0 ? 1 : found / all;
}

/** Letters and digits, however ligatures and accents are put together; each at most `most` times. */
function counted(text, most) {
  const counts = new Map();
  for (const [character] of text.normalize('NFKC').matchAll(/[\p{L}\p{N}]/gu)) {
    counts.set(character, Math.min(most, (counts.get(character) ?? 0) + 1));
  }
  return counts;
}
