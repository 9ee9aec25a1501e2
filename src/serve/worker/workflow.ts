import { Failure } from '../../contract/failure.ts';
import type { AnyOperation } from '../../contract/operation.ts';
import { redactApply, redactInspect } from '../../contract/operations/redaction.ts';
import { runFolder } from './folder.ts';
import type { Made, WorkflowTask } from './messages.ts';
import { runOperation, runTaskRow, type Work } from './operation.ts';

export async function runWorkflow(task: WorkflowTask, work: Work): Promise<Made> {
  const { name, fields, bounds } = task;
  switch (name) {
    case 'compress':
      return runOperation({ ...task, kind: 'operation', name: 'compress', limits: {} }, work);
    case 'source_pack': {
      const { pages } = bounds;
      const limits = {
        when: [{ field: 'output_format', value: 'source-pack', ...(pages === undefined ? {} : { pages }) }],
      };
      const options = { ...fields, mode: 'rag', output_format: 'source-pack' };
      return runOperation({ ...task, kind: 'operation', name: 'markdown', fields: options, limits }, work);
    }
    case 'folder':
      return runFolder(task, work);
    case 'redaction': {
      const { mode, ...options } = fields;
      const row = mode === 'apply' ? redactApply : redactInspect;
      const { pages } = bounds;
      // A row without an address has no limits of its own: the workflow has them.
      const op = { ...row, limits: pages === undefined ? {} : { pages } } as unknown as AnyOperation;
      return runTaskRow(op, { ...task, fields: { options } }, work);
    }
    default:
      throw new Failure('unavailable', `this server has no workflow named ${name}`);
  }
}
