// Reads headers of ICC colour profiles (ICC.1:2022, 7.2).

const HEADER = 128;

export interface ProfileFacts {
  /** Such as mntr or prtr. */
  readonly kind: string;
  /** RGB, CMYK, GRAY or Lab. */
  readonly space: string;
  readonly version: number;
}

/** The header of a profile; undefined where it is none. */
export function profileFacts(bytes: Uint8Array): ProfileFacts | undefined {
  const text = Buffer.from(bytes.subarray(0, HEADER)).toString('latin1');
  if (bytes.length < HEADER || text.slice(36, 40) !== 'acsp') return undefined;
  return { kind: text.slice(12, 16), space: text.slice(16, 20).trim(), version: bytes[8] ?? 0 };
}
