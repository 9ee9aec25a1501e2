import type { FailureCode, FailureKind } from '../../contract/failure.ts';
import type { Limits } from '../../contract/operation.ts';
import type { Measurement } from '../../contract/ports.ts';

export interface TaskFile {
  /** The field of the row it belongs to. */
  readonly field: string;
  readonly path: string;
  /** As its sender named it, for messages only. */
  readonly name: string;
}

interface TaskBase {
  /** Fields of the operation, or options of the workflow. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly TaskFile[];
  /** Where the worker may write. */
  readonly folder: string;
  /** The output's path; it appears whole or not at all. */
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
  readonly bounds: { readonly pages?: number; readonly files?: number; readonly maxCredits: number };
}

/** How long the file would be spoken; refused where it is more than the limits allow. */
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
  /** What a program may want to know of it, such as which page is spoken when. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Of a file that was measured. */
  readonly speech?: {
    readonly minutes: number;
    readonly characters: number;
    readonly chapters: number;
    readonly pages: number;
  };
  /** Of a folder: how many of its files succeeded, which is what it costs. */
  readonly files?: { readonly done: number; readonly failed: number; readonly skipped: number };
}

export interface ToldFailure {
  readonly code: FailureCode;
  readonly message: string;
  readonly kind?: FailureKind;
  /** Of the system, where it refused something: ENOSPC. */
  readonly errno?: string;
}

export type Report =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'progress';
      readonly phase: string;
      readonly done: number;
      readonly total?: number;
      /** Of what is worked on, once they are known. */
      readonly pages?: number;
    }
  | { readonly kind: 'done'; readonly made: Made }
  | { readonly kind: 'failed'; readonly failure: ToldFailure };
