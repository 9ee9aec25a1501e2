export const KINDS: Readonly<Record<string, unknown>>;
/** Undefined where the file has nothing that the kind damages. */
export function mutant(bytes: Uint8Array, kind: string, seed: number): Buffer | undefined;
