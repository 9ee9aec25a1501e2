import type { Source } from '../file/read/source.ts';
import type { Ref } from '../syntax/values.ts';
import type { Changes } from './changes.ts';

export interface Target {
  /** Of ISO 19005. */
  readonly part: 2 | 3;
  readonly level: 'B' | 'U';
}

/** What comes with the program and goes into documents. */
export interface Parts {
  /** A colour profile for DeviceCMYK. */
  readonly cmykProfile: Uint8Array;
  /** A font program, such as LiberationSans-Bold.ttf. */
  readonly fontFile: (name: string) => Promise<Uint8Array>;
}

/** What all steps of the conversion share. */
export interface Job extends Parts {
  readonly source: Source;
  readonly changes: Changes;
  readonly target: Target;
  /** Fonts without a metric twin get the nearest one. */
  readonly substitute: boolean;
  /** The colours of the output intent: RGB, CMYK or GRAY. */
  intent: string;
  /** Arrays [/ICCBased …] in the place of colour spaces of devices that the intent does not cover, by their names. */
  readonly profiles: Map<string, Ref>;
  /** Devices whose colours content sets by operators, without a default in its resources. */
  readonly devices: Set<string>;
  /** What was taken out or replaced, in words, and how often. */
  readonly told: Map<string, number>;
  /** Why the document cannot be converted. */
  readonly refused: Set<string>;
}

export function tell({ told }: Job, what: string): void {
  told.set(what, (told.get(what) ?? 0) + 1);
}
