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
  ['2-5:even', '3,5', 'every second of the chosen pages; also :odd'],
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
      'Every option that takes pages has the same syntax. A page that the document does not have is refused before anything is written or sent; the message names the page count.',
      {
        title: 'For a PDF with ten pages:',
        rows: PAGE_EXAMPLES.map(([spelling, pages, meaning]) => [spelling, `${pages.padEnd(10)}  ${meaning}`] as const),
      },
      'A spelling that two programs read differently, such as 2-5even, is refused, and the message shows both meanings. pdftool pages explain RANGE [FILE] says what a range means.',
      'For the service, pdftool counts the pages on this machine first, and sends plain numbers.',
    ],
  },
  {
    name: 'engines',
    summary: 'Where the work is done: on this machine or on a service',
    blocks: [
      '--local runs on this machine and opens no connection. --remote runs on the service, with an API key and a base URL. Otherwise PDFTOOL_ENGINE decides, then pdftool config set engine, then auto: the service if a key and a base URL are set, else this machine. If a service was once configured and one of the two is missing now, a note says which.',
      'pdftool chooses the engine before it reads anything, in the same way for every command. If that engine cannot run the command, the exit code is 24 and the message names the other one; there is no fallback.',
      "The service's limits apply only to calls of the service; on this machine only memory and disk limit the work.",
      {
        title: 'Only on the service:',
        rows: COMMANDS.filter(({ local }) => local !== true).map(
          ({ name, local, disabled }) => [name, disabled ?? String(local)] as const,
        ),
      },
      ...named('Only on this machine:', (op) => !isOffered(op)),
      ...named('On this machine, and on a service that is a pdftool serve:', (op) => op.extension === true),
    ],
  },
  {
    name: 'money',
    summary: 'What is charged, and how not to pay twice',
    blocks: [
      'Work on this machine is free. On the service a standard tool costs credits, charged only when the output is made.',
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
      '--plan shows the request, the checks and the price, and sends nothing. --max-credits N refuses a higher price before a byte is sent.',
      'A charged request is never sent twice: not after a time-out, not after a server failure, not once a byte of it may have left. If its answer is lost, the exit code is 21 and pdftool account shows what was charged. Free requests are retried automatically. The request for a workflow job carries a key that is stored before it is sent, so that a second try finds the first job.',
    ],
  },
  {
    name: 'exit-codes',
    summary: 'What exit codes mean',
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
