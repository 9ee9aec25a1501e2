/** The tool that reports what is set up on this machine for agents, and what is left for a person to do. */

import type { Finding } from '../runtime/processes/machine.ts';
import { answerSchema, titleOf } from './describe.ts';
import type { SharedState, Tool } from './tool.ts';

/** `absent`: tools that this build has no operation for. */
export function checklist(
  shared: SharedState,
  absent: readonly string[],
  unavailable: () => Readonly<Record<string, string>>,
): Tool {
  return {
    name: 'first_run_checklist',
    title: titleOf('first_run_checklist'),
    description:
      'Say what is set up and what is not: engine, key, folders, budget, and which tools cannot be used here and why. Use it first, and when a tool says that it is not available. It costs nothing.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    outputSchema: answerSchema({
      checks: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            what: { type: 'string' },
            state: { enum: ['ok', 'missing', 'wrong'] },
            found: { type: 'string' },
          },
          required: ['what', 'state', 'found'],
        },
      },
      unavailable: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Tools that cannot be used here, and why',
      },
    }),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: shared.engine === 'remote',
    },
    async run(_, call) {
      const { spending, sandbox, engine, overwrite } = shared;
      const settings: Finding[] = [
        {
          what: 'engine',
          state: 'ok',
          found:
            engine === 'local'
              ? 'this machine; nothing is sent and nothing is charged'
              : 'the service; charged calls need a budget or a yes',
        },
        { what: 'folders', state: 'ok', found: sandbox.roots.join(', ') },
        {
          what: 'outputs',
          state: 'ok',
          found: `${sandbox.outputs}; files are ${overwrite ? 'replaced when a call asks for it' : 'never replaced'}`,
        },
        {
          what: 'budget',
          state: engine === 'remote' && spending.budget === 0 ? 'missing' : 'ok',
          found:
            engine === 'local'
              ? 'not needed'
              : `${spending.spent} of ${spending.budget} credits are spent; more with pdftool mcp --max-credits N`,
        },
      ];
      const checks = [...settings, ...(await shared.checkup(call.signal))];
      const missing = Object.fromEntries(
        absent.map((name) => [name, 'neither this build nor the service has an operation for it']),
      );
      return { record: { ok: true, checks, unavailable: { ...missing, ...unavailable() } } };
    },
  };
}
