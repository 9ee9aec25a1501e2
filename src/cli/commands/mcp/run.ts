import { Failure } from '../../../contract/failure.ts';
import { type AnyOperation, isOffered } from '../../../contract/operation.ts';
import { OPERATIONS } from '../../../contract/operations.ts';
import { systemEntropy } from '../../../runtime/entropy.ts';
import { Sandbox } from '../../../runtime/processes/sandbox.ts';
import { type McpSettings, readMcpSettings, standardInput } from '../../../runtime/settings/mcp-settings.ts';
import { readSettings, type Settings } from '../../../runtime/settings/settings.ts';
import { printableText } from '../../../runtime/terminal/printable.ts';
import { takeStandardOutput } from '../../../runtime/terminal/protocol-output.ts';
import { wrap } from '../../../runtime/terminal/wrap.ts';
import { startCodecs } from '../../children/codec.ts';
import { otherReaders } from '../../children/other-reader.ts';
import { pageDrawers } from '../../children/page-drawer.ts';
import { startReader } from '../../children/reader-thread.ts';
import { chooseEngine, remoteHooks } from '../../engines.ts';
import { failureOf } from '../../failure-of.ts';
import { identifyNamed } from '../../jobs/journal.ts';
import { openJobPorts } from '../../jobs/ports.ts';
import { localProbe } from '../../remote.ts';
import { defaultName } from '../../run/destination.ts';
import { resolvePageFields } from '../../run/page-fields.ts';
import type { OwnCall } from '../call.ts';
import { checkup } from '../doctor/run.ts';
import { tell } from '../tell.ts';
import { installClient } from './install.ts';

type Workbench = import('../../../mcp/tool.ts').Workbench;

export async function run(call: OwnCall): Promise<number> {
  const settings = readSettings(call.flags);
  const mcp = readMcpSettings(flagsOf(call), settings.outputDir);
  switch (call.subcommand) {
    case 'tools':
      return showTools(call, settings, mcp);
    case 'install':
      return installClient(call, mcp);
    default:
      return serveTools(call, settings, mcp);
  }
}

/** Serves one client on standard input and output until it leaves. */
async function serveTools(call: OwnCall, settings: Settings, mcp: McpSettings): Promise<number> {
  // First of all: what is loaded from here on may print.
  const output = takeStandardOutput();
  const { signal, version } = call;
  const [{ createServer, serveOnStdio, createOutputs, toolsOf }, bench] = await Promise.all([
    import('../../../mcp/entry.ts'),
    openWorkbench(call, settings, mcp),
  ]);
  const tools = toolsOf(OPERATIONS, bench);
  const outputs = createOutputs(bench.sandbox);
  const factory = createServer({ version: version(), prefix: mcp.prefix, tools, outputs, bench, failureOf });
  const input = standardInput();
  try {
    await serveOnStdio(factory, { input, output, signal, say: bench.say });
    // What is paid for is brought home; a second signal ends that too.
    await Promise.all(bench.underWay);
  } finally {
    input.destroy();
  }
  return 0;
}

async function showTools(call: OwnCall, settings: Settings, mcp: McpSettings): Promise<number> {
  const { flags, streams } = call;
  const [{ listed, toolsOf }, bench] = await Promise.all([
    import('../../../mcp/entry.ts'),
    openWorkbench(call, settings, mcp),
  ]);
  const tools = listed({ tools: toolsOf(OPERATIONS, bench), prefix: mcp.prefix });
  if (flags.json) {
    tell(call, { ok: true, engine: bench.engine, tools });
    return 0;
  }
  const width = Math.min(streams.columns(), 100);
  for (const { name, title, description } of tools) {
    const lines = wrap(description, width - 2).map((line) => `  ${line}\n`);
    streams.out(printableText(`${name}: ${title}\n${lines.join('')}`));
  }
  return 0;
}

async function openWorkbench(call: OwnCall, settings: Settings, mcp: McpSettings): Promise<Workbench> {
  const { flags, messages, clock, signal } = call;
  const { Spending } = await import('../../../mcp/entry.ts');
  const say = (line: string) => messages.warn(line);
  // The budget is the server's, and counted there: over all calls, with the yes of a person beside it.
  const unbounded = { ...settings, maxCredits: undefined };
  const hooks = { ...remoteHooks(call, flags.debug || settings.debug), refusesRepeats: true };
  const choice = chooseEngine(unbounded, hooks);
  const [engine, { createLocalEngine }] = await Promise.all([choice.load(), import('../../../local/engine.ts')]);
  const local = createLocalEngine();
  const outputs = mcp.outputs ?? mcp.roots[0];
  if (outputs === undefined) {
    throw new Failure('usage', 'the current folder is the whole disk, which is not handed to agents', {
      hint: 'Name the folders that they may use with --root.',
    });
  }
  return {
    engine: engine.name,
    // What no service has costs nothing and sends nothing: it is there beside the service.
    engineFor: (op: AnyOperation) => (isOffered(op) ? engine : local),
    desk: () => openJobPorts({ settings: unbounded, hooks }, engine),
    probe: localProbe,
    sandbox: new Sandbox(mcp.roots, outputs),
    spending: new Spending(mcp.budget, systemEntropy.token),
    clock,
    overwrite: call.options.allowOverwrite === true,
    stop: signal,
    helpers: {
      ...otherReaders(clock, signal),
      startCodecs,
      startReader,
      drawPages: pageDrawers(clock, signal),
      random: systemEntropy.bytes,
    },
    resolvePages: resolvePageFields,
    outputName: (output, file, values) => defaultName({ output, values }, file),
    identify: identifyNamed,
    workflowNames: settings.workflowNames,
    checkup: () => checkup(flags),
    notices: [],
    underWay: new Set(),
    say,
  };
}

function flagsOf({ options, flags }: OwnCall) {
  const text = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined);
  return {
    roots: Array.isArray(options.root) ? options.root.map(String) : [],
    outputs: text('outDir'),
    prefix: text('prefix'),
    maxCredits: flags.maxCredits,
  };
}
