import { Failure } from '../../../contract/failure.ts';
import { WORKFLOWS } from '../../../contract/operations/workflow.ts';
import { sha256 } from '../../../runtime/hash.ts';
import { openInputs } from '../../../runtime/inputs.ts';
import { Workspace } from '../../../runtime/workspace.ts';
import { checkReviewed, textFrom } from '../../jobs/findings.ts';
import { openOwnJobPorts } from '../../jobs/ports.ts';
import type { OwnCall } from '../call.ts';
import { nameIn, readOptions, stemOf } from '../workflow/run.ts';
import { runWorkflow } from '../workflow/submit.ts';

export async function run(call: OwnCall): Promise<number> {
  const { subcommand, args, options, signal } = call;
  const [file = ''] = args;
  const { ports, settings } = await openOwnJobPorts(call);
  const workspace = new Workspace();
  const common = { kind: 'redaction', name: nameIn(settings, 'redaction'), file } as const;
  try {
    if (subcommand === 'inspect') {
      const wanted = { mode: 'inspect', ...readOptions(options.option) };
      return await runWorkflow(call, ports, settings, workspace, {
        ...common,
        operation: 'redact inspect',
        options: wanted,
        output: 'regions.json',
      });
    }
    const name = typeof options.regions === 'string' ? options.regions : undefined;
    if (name === undefined) {
      throw new Failure('usage', 'redact apply needs --regions, the file that redact inspect wrote', {
        hint: 'Make it with: pdftool redact inspect FILE',
      });
    }
    const { sources } = await openInputs([file, name], [], workspace, signal);
    const [source, list] = sources;
    if (source === undefined || list === undefined) throw new TypeError('two names give two sources');
    const { sourceSha256, regions } = checkReviewed(
      name,
      await textFrom(list, signal),
      await sha256(source, signal),
      WORKFLOWS.redaction.regions,
    );
    const wanted = { ...readOptions(options.option), mode: 'apply', reviewed: true, sourceSha256, regions };
    return await runWorkflow(call, ports, settings, workspace, {
      ...common,
      operation: 'redact apply',
      source,
      options: wanted,
      output: `${stemOf(file)}-redacted.pdf`,
    });
  } finally {
    workspace.close();
  }
}
