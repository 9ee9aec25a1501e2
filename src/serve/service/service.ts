import type { Clock } from '../../contract/base/ports.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import type { Metrics } from '../base/metrics.ts';
import type { ServeSettings, WorkflowBounds } from '../base/settings.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Holds } from '../limits/charge.ts';
import type { DiskReservations } from '../limits/disk.ts';
import type { Gate } from '../limits/gate.ts';
import type { Rates } from '../limits/rates.ts';
import type { ReadQueue } from '../limits/read-queue.ts';
import type { Store } from '../store/store.ts';
import type { Runner } from '../worker/lanes.ts';
import type { Entropy } from './keys.ts';

export interface Folders {
  /** Holds one folder per request. */
  readonly requests: string;
  /** Holds one folder per claim of a job. */
  readonly work: string;
}

export interface Service {
  /** The id of this server among those of its store. */
  readonly id: string;
  readonly rows: readonly ServiceOperation[];
  readonly workflows: Readonly<Record<string, WorkflowBounds>>;
  readonly settings: ServeSettings;
  readonly store: Store;
  /** Credits reserved by requests. */
  readonly holds: Holds;
  readonly runner: Runner;
  readonly rates: Rates;
  readonly readQueue: ReadQueue;
  readonly disk: DiskReservations;
  readonly gate: Gate;
  readonly uploadGate: Gate;
  readonly downloadGate: Gate;
  readonly folders: Folders;
  readonly blobs: Blobs;
  /** Other servers may use the same store and folders. */
  readonly isShared: boolean;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly metrics: Metrics;
  /** Signs URLs that grant a permission, with a secret that never leaves this machine. */
  readonly sign: (text: string) => string;
  /** Wakes the scheduler for a queued job. */
  readonly wake: () => void;
  readonly version: string;
  /** Where it listens, which is its address unless there is a proxy. */
  readonly listening: () => { readonly host: string; readonly port: number };
  /** Whether it can work now: the database answers, workers start. */
  readonly health: () => Promise<{ ready: boolean; reason?: string }>;
}
