import type { OwnCommand } from '../line/grammar.ts';
import { api } from './api/grammar.ts';
import { auth } from './auth/grammar.ts';
import { complete, completion } from './completion/grammar.ts';
import { config } from './config/grammar.ts';
import { doctor } from './doctor/grammar.ts';
import { INTERNAL } from './internal.ts';
import { jobs } from './jobs/grammar.ts';
import { languages } from './languages/grammar.ts';
import { mcp } from './mcp/grammar.ts';
import { pagesCommand } from './pages/grammar.ts';
import { redactCommand } from './redact/grammar.ts';
import { run } from './run/grammar.ts';
import { serve } from './serve/grammar.ts';
import { voices } from './voices/grammar.ts';
import { work } from './work/grammar.ts';
import { workflow } from './workflow/grammar.ts';

/** The commands that are no operation, in the order of help. */
export const OWN_COMMANDS: readonly OwnCommand[] = [
  pagesCommand,
  run,
  jobs,
  workflow,
  redactCommand,
  languages,
  auth,
  config,
  doctor,
  api,
  voices,
  completion,
  complete,
  mcp,
  serve,
  work,
  ...INTERNAL,
];
