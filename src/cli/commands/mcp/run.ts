import { Failure } from '../../../contract/base/failure.ts';
import { type AnyOperation, isOffered } from '../../../contract/operation.ts';
import { OPERATIONS } from '../../../contract/operations/all.ts';
import { systemEntropy } from '../../../runtime/entropy.ts';
import { Sandbox } from '../../../runtime/files/sandbox.ts';
import { type McpSettings, readMcpSettings, standardInput } from '../../../runtime/settings/mcp-settings.ts';
import { readSettings, type Settings } from '../../../runtime/settings/settings.ts';
import { takeStandardOutput } from '../../../runtime/terminal/protocol-output.ts';
import { wrap } from '../../../runtime/terminal/wrap.ts';
import { machineMeans } from '../../children/means.ts';
import { chooseEngine, remoteHooks } from '../../engines/engines.ts';
import { identifyNamed } from '../../engines/journal.ts';
import { countLocalPages, loadLocal, localProbe } from '../../engines/local.ts';
import { defaultName } from '../../files/destination.ts';
import { openJobPorts } from '../../jobs/ports.ts';
import type { OwnCall } from '../../line/call.ts';
import { failureOf } from '../../line/failure-of.ts';
import { textOf, textsOf } from '../../line/flags.ts';
import { tell } from '../../run/show.ts';
import { checkup } from '../doctor/run.ts';
import { installClient } from './install.ts';

type SharedState = import('../../../mcp/tool.ts').SharedState;

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
  // Taken first: code that is loaded later may print.
  const output = takeStandardOutput();
  const { signal, version } = call;
  const [{ createServer, serveOnStdio, createOutputs, toolsOf }, shared] = await Promise.all([
    import('../../../mcp/entry.ts'),
    openWorkbench(call, settings, mcp),
  ]);
  const tools = toolsOf(OPERATIONS, shared);
  const outputs = createOutputs(shared.sandbox);
  const factory = createServer({ version: version(), prefix: mcp.prefix, tools, outputs, shared, failureOf });
  const input = standardInput();
  try {
    await serveOnStdio(factory, { input, output, signal, say: shared.say });
    // Paid calls are finished; a second signal ends them too.
    await Promise.all(shared.underWay);
  } finally {
    input.destroy();
  }
  return 0;
}

async function showTools(call: OwnCall, settings: Settings, mcp: McpSettings): Promise<number> {
  const { flags, streams } = call;
  const [{ listed, toolsOf }, shared] = await Promise.all([
    import('../../../mcp/entry.ts'),
    openWorkbench(call, settings, mcp),
  ]);
  const tools = listed({ tools: toolsOf(OPERATIONS, shared), prefix: mcp.prefix });
  if (flags.json) {
    tell(call, { ok: true, engine: shared.engine, tools });
    return 0;
  }
  const width = Math.min(streams.columns(), 100);
  for (const { name, title, description } of tools) {
    const lines = wrap(description, width - 2).map((line) => `  ${line}\n`);
    streams.out(`${name}: ${title}\n${lines.join('')}`);
  }
  return 0;
}

async function openWorkbench(call: OwnCall, settings: Settings, mcp: McpSettings): Promise<SharedState> {
  const { flags, messages, clock, signal } = call;
  const { Spending } = await import('../../../mcp/entry.ts');
  const say = (line: string) => messages.warn(line);
  // The server counts its budget over all calls, and a person may allow more: the engine has no budget of its own.
  const unbounded = { ...settings, maxCredits: undefined };
  const hooks = { ...remoteHooks(call, flags.debug || settings.debug), refusesRepeats: true };
  const choice = chooseEngine(unbounded, hooks);
  const [engine, local] = await Promise.all([choice.load(), loadLocal()]);
  const outputs = mcp.outputs ?? mcp.roots[0];
  if (outputs === undefined) {
    throw new Failure('usage', 'the current folder is the whole disk, which is not handed to agents', {
      hint: 'Name the folders that they may use with --root.',
    });
  }
  return {
    engine: engine.name,
    // Rows that no service offers run on this machine.
    engineFor: (op: AnyOperation) => (isOffered(op) ? engine : local),
    jobPorts: () => openJobPorts({ settings: unbounded, hooks }, engine),
    probe: localProbe,
    sandbox: new Sandbox(mcp.roots, outputs),
    spending: new Spending(mcp.budget, systemEntropy.token),
    clock,
    overwrite: call.options.allowOverwrite === true,
    stop: signal,
    means: machineMeans(clock, signal),
    countPages: countLocalPages,
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
  return {
    roots: textsOf(options, 'root'),
    outputs: textOf(options, 'outDir'),
    prefix: textOf(options, 'prefix'),
    maxCredits: flags.maxCredits,
  };
}
