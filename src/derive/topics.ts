import { CREDITS, LIMITS } from '../contract/limits.ts';
import { type AnyOperation, isOffered, wordsOf } from '../contract/operation.ts';
import { OPERATIONS } from '../contract/operations/all.ts';
import { ENVIRONMENT } from './environment.ts';
import { EXIT_CODES } from './exit-codes.ts';
import type { Topic } from './shape.ts';

/** Page ranges: spelling, selected pages of ten, meaning. A test checks them against the grammar. */
export const PAGE_EXAMPLES: readonly (readonly [string, string, string])[] = [
  ['1-3,7', '1-3,7', 'pages and ranges, in this order'],
  ['7-', '7-10', 'page 7 to the last'],
  ['-3', '1-3', 'the first three'],
  ['z', '10', 'the last page; also last'],
  ['r2', '9', 'the second page from the end'],
  ['r3-z', '8-10', 'the last three'],
  ['3-1', '3,2,1', 'backwards'],
  ['x5', '1-4,6-10', "all but page 5; also '!5'"],
  ['1-6,x2-3', '1,4-6', 'left out of the range before it'],
  ['odd', '1,3,5,7,9', 'odd page numbers; also even, all'],
  ['2-5:even', '3,5', 'every second page of what was chosen; also :odd'],
];

const COMMANDS = OPERATIONS.filter(({ surface }) => surface === 'command');

/** A table of the commands of one kind; nothing where there are none. */
function named(title: string, isOne: (op: AnyOperation) => boolean): Topic['blocks'] {
  const rows = COMMANDS.filter(isOne).map((op) => [wordsOf(op), op.summary] as const);
  return rows.length === 0 ? [] : [{ title, rows }];
}

export const TOPICS: readonly Topic[] = [
  {
    name: 'pages',
    summary: 'How pages are written',
    blocks: [
      'Every option that takes pages understands the same words. A page that the document does not have is refused, with its number of pages, before anything is written or sent.',
      {
        title: 'Of a PDF with ten pages:',
        rows: PAGE_EXAMPLES.map(([spelling, pages, meaning]) => [spelling, `${pages.padEnd(10)}  ${meaning}`] as const),
      },
      'What two programs read differently, such as 2-5even, is refused, and both spellings are shown. pdftool pages explain RANGE [FILE] says what a range means.',
      'For the service pages are counted on this machine first, and sent as plain numbers.',
    ],
  },
  {
    name: 'engines',
    summary: 'Where the work is done: on this machine or on a service',
    blocks: [
      '--local runs on this machine and opens no connection. --remote runs on the service, with an API key and a base URL. Else PDFTOOL_ENGINE decides, then pdftool config set engine, then auto: the service where a key and a base URL are set, this machine otherwise. Where a service was configured once and no key is set now, a note says which it was.',
      'The choice is made before anything is read and is the same for every command. What the chosen engine cannot do ends with exit code 24 and names the other one; nothing falls back by itself.',
      "The service's limits bind calls to the service; this machine is bound by memory and disk alone.",
      {
        title: 'On the service alone:',
        rows: COMMANDS.filter(({ local }) => local !== true).map(
          ({ name, local, disabled }) => [name, disabled ?? String(local)] as const,
        ),
      },
      ...named('On this machine alone:', (op) => !isOffered(op)),
      ...named('On this machine, and on a service that is a pdftool serve:', (op) => op.extension === true),
    ],
  },
  {
    name: 'money',
    summary: 'What is charged, and how not to pay twice',
    blocks: [
      'Nothing on this machine costs anything. On the service a standard tool costs credits, charged only when the output is made.',
      {
        title: 'Prices:',
        rows: [
          ['standard tools', `${CREDITS.standard} credit`],
          ['info, account, voice-preview, jobs', 'free'],
          ['audiobook', `${CREDITS.speechMinute} credits a minute; mp4 ${CREDITS.narrationMinute}`],
          ['narrate', `${CREDITS.narrationMinute} credits a minute`],
          [
            'workflow jobs',
            `${LIMITS.workflowCredits} credit, reserved when the job is made; a folder up to ${LIMITS.workflowFolderCreditsMax}`,
          ],
          ['a new account', `${LIMITS.freeCredits} credits free`],
        ],
      },
      '--plan shows the request, the checks and the price, and sends nothing. --max-credits N refuses what would cost more, before a byte is sent.',
      'A charged request is never sent twice: not after a time-out, not after a server failure, not once a byte of it may have left. When its answer is lost the exit code is 21 and pdftool account shows what was charged. Free requests are tried again by themselves. Creating a workflow job carries a key that is stored before it is sent, so that a second try finds the first job.',
    ],
  },
  {
    name: 'exit-codes',
    summary: 'What the exit code says',
    blocks: [
      { title: 'Exit codes:', rows: Object.entries(EXIT_CODES) },
      'With --json a failure is {"ok":false,"error":{"code","message","hint","charged"}} on standard output.',
    ],
  },
  {
    name: 'environment',
    summary: 'Environment variables and files',
    blocks: [
      { title: 'Environment:', rows: ENVIRONMENT },
      'Flags come first, then the environment, the file .pdftool.json of the project (never a key or an address), the settings of pdftool config, and the defaults.',
      'Keys are never given on the command line: pdftool auth login asks for one and stores it with mode 0600.',
    ],
  },
];
