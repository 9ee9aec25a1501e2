import { Failure } from '../../contract/base/failure.ts';
import { type AnyOperation, positionalOf, wordsOf } from '../../contract/operation.ts';
import { redactApply, redactInspect } from '../../contract/operations/edit/redaction.ts';
import { readStepList, stepValues } from '../../contract/operations/steps.ts';
import { joinPath } from '../../runtime/files/stores/blobs.ts';
import { runFolder } from './folder.ts';
import type { TaskOutput, WorkflowTask } from './messages.ts';
import { runOperation, runTaskRow, type Work } from './operation.ts';

export async function runWorkflow(task: WorkflowTask, work: Work): Promise<TaskOutput> {
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
    case 'steps':
      return runSteps(task, work);
    case 'folder':
      return runFolder(task, work);
    case 'redaction': {
      const { mode, ...options } = fields;
      const row = mode === 'apply' ? redactApply : redactInspect;
      const { pages } = bounds;
      // A row without a path has no limits of its own: the workflow has them.
      const op = { ...row, limits: pages === undefined ? {} : { pages } } as unknown as AnyOperation;
      return runTaskRow(op, { ...task, fields: { options } }, work);
    }
    default:
      throw new Failure('unavailable', `this server has no workflow named ${name}`);
  }
}

/** Each step works on the output of the step before; the last output is the task's. */
async function runSteps(task: WorkflowTask, work: Work): Promise<TaskOutput> {
  const steps = readStepList(task.fields, 'steps');
  const warnings: string[] = [];
  let { files } = task;
  let made: TaskOutput | undefined;
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const output = isLast ? task.output : joinPath(task.folder, `step-${index + 1}`);
    // The limits of this server, as for a request.
    const op = { ...step.op, limits: task.bounds.limits?.[step.op.name] ?? {} } as AnyOperation;
    const [field = 'file'] = positionalOf(op) ?? [];
    const { values, pages } = stepValues(step);
    const from = files.map((file) => ({ ...file, field }));
    try {
      const part = { ...task, fields: values, files: from, output, durable: isLast && task.durable };
      made = await runTaskRow(op, part, work, pages);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw error.with({ wording: `step ${index + 1} (${wordsOf(op)}): ${error.message}` });
    }
    warnings.push(...(made.warnings ?? []));
    files = [{ field, path: output, name: `the output of step ${index + 1}` }];
  }
  if (made === undefined) throw new TypeError('a list has a step');
  return { ...made, ...(warnings.length === 0 ? {} : { warnings }) };
}
