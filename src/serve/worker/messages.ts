import type { FailureCode, FailureKind } from '../../contract/base/failure.ts';
import type { Measurement, Values } from '../../contract/base/ports.ts';
import type { Limits } from '../../contract/operation.ts';

interface TaskFile {
  /** The field of the row it belongs to. */
  readonly field: string;
  readonly path: string;
  /** The sender's name for the file, for messages only. */
  readonly name: string;
}

interface TaskBase {
  /** Fields of the operation, or options of the workflow. */
  readonly fields: Values;
  readonly files: readonly TaskFile[];
  /** Where the worker may write. */
  readonly folder: string;
  /** The path of the output, which appears atomically. */
  readonly output: string;
  /** Whether the output must survive a power loss. */
  readonly durable: boolean;
}

/** `measure`: only measures the length of the file's speech, and refuses it above the limits. */
export interface OperationTask extends TaskBase {
  readonly kind: 'operation' | 'measure';
  readonly name: string;
  readonly limits: Limits;
}

export interface WorkflowTask extends TaskBase {
  readonly kind: 'workflow';
  readonly name: string;
  readonly bounds: {
    readonly pages?: number;
    readonly files?: number;
    readonly maxCredits: number;
    /** Limits of operations by name, for a list of steps. */
    readonly limits?: Readonly<Record<string, Limits>>;
  };
}

export type Task = OperationTask | WorkflowTask;

/** The output of a task, on disk. */
export interface TaskOutput {
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256?: string;
  readonly pages?: number;
  readonly measurement?: Measurement;
  readonly warnings?: readonly string[];
  /** Further members of the job's record, such as when each page is spoken. */
  readonly details?: Values;
  /** The result of measuring. */
  readonly speech?: {
    readonly minutes: number;
    readonly characters: number;
    readonly chapters: number;
    readonly pages: number;
  };
  /** Files of a folder job. Each done one costs a credit. */
  readonly files?: { readonly done: number; readonly failed: number; readonly skipped: number };
}

export interface FailureReport {
  readonly code: FailureCode;
  readonly message: string;
  readonly kind?: FailureKind;
  /** The error code of the system, such as ENOSPC. */
  readonly errno?: string;
  /** A helper process died before it answered, which need not be the task's fault. */
  readonly isLost?: true;
}

export type Report =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'progress';
      readonly phase: string;
      readonly done: number;
      readonly total?: number;
      /** Pages of the document, once they are known. */
      readonly pages?: number;
    }
  | { readonly kind: 'done'; readonly made: TaskOutput }
  | { readonly kind: 'failed'; readonly failure: FailureReport };
