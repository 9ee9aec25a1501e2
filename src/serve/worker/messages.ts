import type { FailureCode, FailureKind } from '../../contract/failure.ts';
import type { Limits } from '../../contract/operation.ts';
import type { Measurement } from '../../contract/ports.ts';

interface TaskFile {
  /** The field of the row it belongs to. */
  readonly field: string;
  readonly path: string;
  /** The sender's name for it, for messages only. */
  readonly name: string;
}

interface TaskBase {
  /** Fields of the operation, or options of the workflow. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly TaskFile[];
  /** Where the worker may write. */
  readonly folder: string;
  /** The path of the output, which appears whole or not at all. */
  readonly output: string;
  /** Whether the output must outlive a loss of power. */
  readonly durable: boolean;
}

export interface OperationTask extends TaskBase {
  readonly kind: 'operation';
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
    /** Of operations by name, for a list of steps. */
    readonly limits?: Readonly<Record<string, Limits>>;
  };
}

/** Measures how long the speech of a file would be, and refuses it above the limits. */
export interface MeasureTask extends Omit<OperationTask, 'kind'> {
  readonly kind: 'measure';
}

export type Task = OperationTask | WorkflowTask | MeasureTask;

/** The output of a task, on disk. */
export interface Made {
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256?: string;
  readonly pages?: number;
  readonly measurement?: Measurement;
  readonly warnings?: readonly string[];
  /** More members of the job's record, such as when each page is spoken. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The result of a MeasureTask. */
  readonly speech?: {
    readonly minutes: number;
    readonly characters: number;
    readonly chapters: number;
    readonly pages: number;
  };
  /** Files of a folder. Each that is done costs a credit. */
  readonly files?: { readonly done: number; readonly failed: number; readonly skipped: number };
}

export interface ToldFailure {
  readonly code: FailureCode;
  readonly message: string;
  readonly kind?: FailureKind;
  /** The error code of the system, such as ENOSPC. */
  readonly errno?: string;
  /** A process that worked for the task ended before it answered, through no fault of the task that is known. */
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
  | { readonly kind: 'done'; readonly made: Made }
  | { readonly kind: 'failed'; readonly failure: ToldFailure };
