// redact: an inspection writes regions to a file, a person reviews them, and only then are they applied.

import { join } from 'node:path';
import { Failure } from '../../../contract/base/failure.ts';
import type { RandomAccess, Result, Values } from '../../../contract/base/ports.ts';
import { present } from '../../../contract/base/present.ts';
import { type AnyOperation, outputOf } from '../../../contract/operation.ts';
import { redactApply, redactCheck, redactInspect, redactReview } from '../../../contract/operations/edit/redaction.ts';
import { WORKFLOWS, workflowName } from '../../../contract/operations/service/workflow.ts';
import type { Check, Leak } from '../../../pdf/redact/check-document.ts';
import type { TermCount } from '../../../pdf/redact/inspect-document.ts';
import { openInputs, openOne } from '../../../runtime/files/inputs/inputs.ts';
import { withWorkspace } from '../../../runtime/files/outputs/workspace.ts';
import { sha256 } from '../../../runtime/files/system/hash.ts';
import { readSettings } from '../../../runtime/settings/settings.ts';
import { count } from '../../../runtime/terminal/units.ts';
import { machineMeans } from '../../children/means.ts';
import { proofTools } from '../../children/other-eyes.ts';
import { chooseEngine } from '../../engines/engines.ts';
import { checkReviewed, readFindings, textFrom } from '../../jobs/findings.ts';
import { openOwnJobPorts } from '../../jobs/ports.ts';
import type { OwnCall } from '../../line/call.ts';
import { readPlan } from '../../line/plan.ts';
import { type FileRun, runOnce } from '../../run/run.ts';
import { showPlan } from '../../run/show-plan.ts';
import { outputStem, readOptions } from '../workflow/run.ts';
import { postWorkflow } from '../workflow/submit.ts';

export async function run(call: OwnCall): Promise<number> {
  const { subcommand, flags } = call;
  const onlyHere = subcommand === '' || subcommand === 'review' || subcommand === 'check';
  if (onlyHere && flags.remote)
    throw new Failure('unavailable', `redact ${subcommand || 'FILE'} runs on this machine alone`, {
      hint: 'Leave --remote out.',
    });
  const choice = chooseEngine(readSettings(onlyHere ? { ...flags, local: true } : flags));
  if (choice.name === 'remote') return runThere(call);
  if (choice.note !== undefined) call.messages.note(choice.note);
  return runHere(call);
}

function searchOptions({ options }: OwnCall): Values {
  const { find, regex, kinds, ocr } = options;
  const list = typeof kinds === 'string' ? kinds.split(',').map((kind) => kind.trim()) : undefined;
  return present({ find, regex, ocr: onlyTrue(ocr), kinds: list });
}

function checkSearch(command: string, { find, regex, kinds }: Values): void {
  if (find !== undefined || regex !== undefined || kinds !== undefined) return;
  const hint = 'Give --find TEXT, --regex RE or --kinds email,phone,card,iban,ssn.';
  throw new Failure('usage', `${command} needs something to look for`, { hint });
}

function style({ options }: OwnCall): Values {
  const { label, fill, strict, raster, clean } = options;
  return present({ label, fill, strict: onlyTrue(strict), raster: onlyTrue(raster), clean: onlyTrue(clean) });
}

function onlyTrue(value: unknown): true | undefined {
  return value === true ? true : undefined;
}

function regionsFile({ subcommand, options }: OwnCall): string {
  if (typeof options.regions === 'string') return options.regions;
  throw new Failure('usage', `redact ${subcommand} needs --regions, the file that redact inspect wrote`, {
    hint: 'Make it with: pdftool redact inspect FILE',
  });
}

async function runHere(call: OwnCall): Promise<number> {
  switch (call.subcommand) {
    case '':
      return redactFile(call);
    case 'inspect': {
      const options = { ...searchOptions(call), ...readOptions(call.options) };
      checkSearch('redact inspect', options);
      return runOne(call, redactInspect, { options }, 'regions.json', (result) => {
        const record = recordOf(result);
        call.messages.note(foundLine(record));
        return notFound(record, options.find);
      });
    }
    case 'review': {
      const { sourceSha256, regions, clean } = await findings(call);
      const { html } = call.options;
      const format = html === undefined ? 'pdf' : 'html';
      if (typeof html === 'string' && call.flags.output !== undefined)
        throw new Failure('usage', '--html FILE and --output name the same file twice', { hint: 'Give one of them.' });
      const flags = typeof html === 'string' ? { ...call.flags, output: html } : call.flags;
      return runOne({ ...call, flags }, redactReview, { options: { sourceSha256, regions, clean }, format });
    }
    case 'check': {
      const { find, label } = call.options;
      const regions = call.options.regions === undefined ? undefined : (await findings(call)).regions;
      return check(call, present({ find, label, regions }));
    }
    default: {
      const { sourceSha256, regions, reviewed, clean } = await findings(call);
      const isReviewed = reviewed || call.options.reviewed === true;
      const given = { ...(clean ? { clean } : {}), ...style(call), reviewed: isReviewed, sourceSha256, regions };
      const options = { ...readOptions(call.options), ...given };
      return runOne(call, redactApply, { options });
    }
  }
}

/** A terminal gets words; a pipe and --json get the record. */
async function check(call: OwnCall, options: Values): Promise<number> {
  const { flags, streams, args } = call;
  const inWords = streams.outIsTerminal && !flags.json && flags.output === undefined;
  let told = '';
  const exit = await runOne(inWords ? silent(call) : call, redactCheck, { options }, undefined, (result) => {
    const record = recordOf(result);
    told = checkInWords(args[0] ?? '', record);
    return notPassed(record);
  });
  if (inWords) streams.out(told);
  return exit;
}

/**
 * Runs all steps: finds regions, reports pages and counts, writes the regions and a copy to review, and prints the next
 * command. With --yes the regions are applied without review, and the output is checked.
 */
async function redactFile(call: OwnCall): Promise<number> {
  const { args, flags, options, streams, messages } = call;
  const [file] = args;
  if (file === undefined)
    throw new Failure('usage', 'redact needs a file', { hint: 'pdftool redact FILE --find NAME' });
  const search = searchOptions(call);
  checkSearch('redact', search);
  const stem = outputStem(file);
  const folder = readSettings({ ...flags, local: true, remote: false }).outputDir ?? '';
  const named = (name: string) => join(folder, name);
  const [regionsName, reviewName] = [named(`${stem}-regions.json`), named(`${stem}-review.pdf`)];
  // Steps name their own outputs.
  const quiet = silent({ ...call, flags: { ...flags, output: undefined } });
  let record: Values = {};
  const inspected = await runOne(quiet, redactInspect, { options: search }, `${stem}-regions.json`, (result) => {
    record = recordOf(result);
    return notFound(record, search.find);
  });
  const { sourceSha256, regions } = record;
  const places = placesByPage(record);
  const { terms, unread } = record;
  const report: Record<string, unknown> = { ok: true, regions: regionsName, places, terms, unread };
  if (places.length > 0) {
    await runOne(quiet, redactReview, { options: { sourceSha256, regions }, format: 'pdf' }, `${stem}-review.pdf`);
    report.review = reviewName;
  }
  if (!flags.json)
    streams.out(places.length === 0 ? 'no region was found\n' : `${pageTable(record)}${foundLine(record)}\n`);
  let exit = inspected;
  if (places.length > 0 && options.yes === true) {
    const output = flags.output ?? named(`${stem}-redacted.pdf`);
    const clean = onlyTrue(record.clean);
    const applied = present({ clean, ...style(call), reviewed: true, sourceSha256, regions });
    await runOne(silent({ ...call, flags: { ...flags, output } }), redactApply, { options: applied });
    const checked = present({ find: search.find, regions, label: style(call).label });
    let words = '';
    const silentCheck = { ...quiet, args: [output] };
    const checkExit = await runOne(silentCheck, redactCheck, { options: checked }, undefined, (result) => {
      const { readable, passed } = recordOf(result);
      words = checkInWords(output, recordOf(result));
      Object.assign(report, { readable, passed });
      return notPassed(recordOf(result));
    });
    report.output = output;
    exit = Math.max(exit, checkExit);
    if (!flags.json) streams.out(words);
  } else if (places.length > 0 && !flags.json)
    messages.note(`look at ${reviewName}, then: pdftool redact apply ${file} --regions ${regionsName} --reviewed`);
  if (flags.json) streams.json(report);
  return exit;
}

/** The call with output suppressed: the command reports for all of its steps. */
function silent(call: OwnCall): OwnCall {
  return { ...call, streams: { ...call.streams, out() {}, json() {} } };
}

function recordOf(result: Result): Values {
  return result.kind === 'record' ? result.record : {};
}

async function findings(call: OwnCall): Promise<ReturnType<typeof readFindings>> {
  const name = regionsFile(call);
  return withWorkspace(async (workspace) => {
    const list = await openOne(name, workspace, call.signal);
    return readFindings(name, await textFrom(list, call.signal));
  });
}

async function runOne(
  call: OwnCall,
  op: AnyOperation,
  values: Values,
  output?: string,
  unmet?: FileRun['unmet'],
): Promise<number> {
  const { args, options, flags, clock, signal } = call;
  const settings = readSettings({ ...flags, local: true, remote: false });
  const { createLocalEngine } = await import('../../../local/engine.ts');
  const named =
    output === undefined || flags.output !== undefined ? {} : { output: join(settings.outputDir ?? '', output) };
  const read = await readPlan(op, args.slice(0, 1), options, { ...flags, ...named }, settings.outputDir, signal);
  const plan = { ...read, values, output: outputOf(op, values).output };
  const it: FileRun = {
    ...call,
    plan,
    engine: createLocalEngine(),
    means: machineMeans(clock, signal),
    batch: false,
    proof: proofTools(clock, signal),
    ...(unmet === undefined ? {} : { unmet }),
  };
  return flags.plan ? showPlan(it, settings.maxCredits) : runOnce(it);
}

/** Runs a job of the workflow on the service, charged one credit. */
async function runThere(call: OwnCall): Promise<number> {
  const { subcommand, args, options, signal } = call;
  const [file = ''] = args;
  const { ports, settings } = await openOwnJobPorts(call);
  const common = { kind: 'redaction', name: workflowName(settings.workflowNames, 'redaction'), file } as const;
  return withWorkspace(async (workspace) => {
    if (subcommand === 'inspect') {
      const request = { mode: 'inspect', ...searchOptions(call), ...readOptions(options) };
      return postWorkflow(call, ports, settings, workspace, {
        ...common,
        operation: 'redact inspect',
        options: request,
        output: 'regions.json',
      });
    }
    const name = regionsFile(call);
    const { sources } = await openInputs([file, name], [], workspace, signal);
    const [source, list] = sources as [RandomAccess, RandomAccess]; // two names give two sources
    const [text, hash] = [await textFrom(list, signal), await sha256(source, signal)];
    const isReviewed = options.reviewed === true;
    const { sourceSha256, regions } = checkReviewed(name, text, hash, WORKFLOWS.redaction.regions, isReviewed);
    const asked = { ...readOptions(options), ...style(call) };
    const request = { ...asked, mode: 'apply', reviewed: true, sourceSha256, regions };
    return postWorkflow(call, ports, settings, workspace, {
      ...common,
      operation: 'redact apply',
      source,
      options: request,
      output: `${outputStem(file)}-redacted.pdf`,
    });
  });
}

// Puts an inspection and a check into words: pages and counts, never the text that was found.

function placesByPage(record: Values): { readonly page: number; readonly count: number }[] {
  const pages = new Map<number, number>();
  for (const { page } of (record.regions ?? []) as readonly { page: number }[]) // our own engine's record
    pages.set(page, (pages.get(page) ?? 0) + 1);
  return [...pages].sort(([a], [b]) => a - b).map(([page, found]) => ({ page, count: found }));
}

function foundLine(record: Values): string {
  const pages = placesByPage(record);
  const all = pages.reduce((sum, page) => sum + page.count, 0);
  return all === 0 ? 'no region was found' : `${count(all, 'region')} on ${count(pages.length, 'page')}`;
}

function pageTable(record: Values): string {
  const rows = placesByPage(record).map(({ page, count: found }) => [String(page), String(found)]);
  return [['page', 'regions'], ...rows]
    .map(([page = '', found = '']) => `${page.padStart(6)}  ${found.padStart(7)}\n`)
    .join('');
}

/** Search words without a region, in case another spelling was meant. */
function notFound(record: Values, find: unknown): string | undefined {
  const { terms } = record;
  if (!Array.isArray(terms) || !Array.isArray(find)) return undefined;
  const counted = terms as readonly TermCount[]; // our own engine's record
  const lines = counted.flatMap(({ regions, elsewhere }, i) => {
    if (regions > 0) return [];
    const places = elsewhere.map((place) => `${place.where} (${place.count})`).join(', ');
    if (places === '') return [`"${find[i]}" was found nowhere`];
    return [
      `"${find[i]}" was found only where no region can be drawn: ${places}; redact apply leaves that out, or see pdftool meta, bookmarks and attach`,
    ];
  });
  return lines.length === 0 ? undefined : lines.join('; ');
}

/** Why a checked file does not pass. A picture that nobody read may hold the words. */
function notPassed({ passed, readable }: Values): string | undefined {
  if (passed === true) return undefined;
  if (readable === true) return 'something can still be read or seen: look at the leaks';
  return 'nothing was found, but not everything could be read: look at those pages, or install tesseract';
}

function checkInWords(name: string, record: Values): string {
  const { leaks, hidden = [], unread = [], notes } = record as unknown as Check; // our own engine's record
  const lines: string[] = [];
  const list = (title: string, items: readonly string[]) => {
    if (items.length > 0) lines.push(title, ...items.map((item) => `  ${item}`));
  };
  const pages = count(Number(record.page_count), 'page');
  const where = unread.length === 0 ? '' : ' in what could be read';
  if (leaks.length === 0) lines.push(`${name}: nothing that should be gone was found${where}, ${pages} looked at`);
  list(`${name}: something can still be read or seen, ${pages} looked at:`, leaks.map(leakInWords));
  list('Hidden text beside what was redacted:', hidden.map(leakInWords));
  const wordsOf = (what: string) => (what === 'no text' ? what : `${what} that may hold words`);
  const unseen = unread.map(({ page, what }) => `page ${page}: ${wordsOf(what)}`);
  list('Not read, so look for yourself or install tesseract:', unseen);
  const beside = notes.map(({ what, count: found }) => `${what} (${found})`);
  list('Besides its pages the file has:', beside);
  return `${lines.join('\n')}\n`;
}

function leakInWords({ page, what, count: found, by, where }: Leak): string {
  const place = page === undefined ? (where ?? 'the file') : `page ${page}`;
  const readers = by === undefined || by.length === 0 ? '' : `, by ${by.join(', ')}`;
  return `${place}: ${what}${found > 1 ? `, ${found} times` : ''}${readers}`;
}
