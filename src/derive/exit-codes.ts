// The exit codes in words (CLI.md, section 5). contract/failure.ts maps failures to codes.
/** CLI.md section 5. */
export const EXIT_CODES: Readonly<Record<number, string>> = {
  0: 'Done.',
  1: 'Unexpected failure, such as a disk that is full. Of compare: the files differ.',
  2: 'Usage: the line cannot be understood. Nothing was sent.',
  3: 'Done, but a stated wish was not met (--require-target). Of verify: a signature is not intact, or not trusted.',
  4: 'No API key, key refused, or forbidden (HTTP 401, 403).',
  5: 'Credits: none left (HTTP 402), or the price is over --max-credits.',
  6: 'Input refused: damaged, no text layer, too large (HTTP 400, 413, 422, or a check on this machine).',
  7: 'A PDF needs a password, or the password is wrong.',
  8: 'Still pending when --timeout ended the wait.',
  10: 'The output exists and --force was not given. Nothing was sent.',
  20: 'Network or server failure. Known not to be charged: trying again is safe.',
  21: 'The outcome is unknown and may have been charged. Never sent again by itself: look at pdftool account first.',
  22: 'Some files of a batch failed; the others are done.',
  23: 'The job failed.',
  24: 'The engine cannot do it, or a part it needs is not installed.',
  130: 'Interrupted by Ctrl-C. No unfinished output was left behind.',
  143: 'Ended by a signal. No unfinished output was left behind.',
};
