import { Failure } from '../../contract/base/failure.ts';
import { say } from '../../contract/base/wording.ts';

/** The file contradicts itself or ends early; scanning it may still succeed. */
export class Damage extends Error {
  /** The file it was found in, set by `markDamage`. */
  file: object | undefined;

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'Damage';
  }
}

/** The data of a stream cannot be decoded. Its place and its dictionary may still be right. */
export class Undecodable extends Damage {}

/** The file is encrypted and its key is lost: other readers would take ciphertext for content. */
export class KeyLost extends Damage {}

/** Content or a font that can be read in more than one way: redaction, which must be certain, refuses it. */
export class Unreadable extends Error {}

/** Runs `work` on a file and marks Damage with that file. */
export async function markDamage<T>(file: object, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Damage) error.file ??= file;
    throw error;
  }
}

export async function damagedBy<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Damage ? damaged(name, error) : error;
  }
}

export function damaged(name: string, error: Damage): Failure {
  return new Failure('unprocessable', `${name} is damaged: ${error.message}`, {
    kind: 'damaged',
    cause: error,
    hint: 'Write it anew with the program it came from, then try again.',
  });
}

type ErrorKind = abstract new (...given: never[]) => Error;

/** The result of `work`, or `instead` where it throws an error of one of the kinds. */
export function unlessThrown<T, D>(kinds: readonly ErrorKind[], instead: D, work: () => T): T | D {
  try {
    return work();
  } catch (error) {
    if (kinds.some((kind) => error instanceof kind)) return instead;
    throw error;
  }
}

export function unlessDamaged<T, D>(instead: D, work: () => T): T | D {
  return unlessThrown([Damage], instead, work);
}

/** As `unlessDamaged`, also for limits and refused files. */
export function unlessRefused<T, D>(instead: D, work: () => T): T | D {
  return unlessThrown([Damage, Failure], instead, work);
}

/** As `unlessRefused`, for work that takes time. */
export function unlessRefusedLater<T, D>(instead: D, work: () => Promise<T>): Promise<T | D> {
  return work().catch((error: unknown) => {
    if (error instanceof Damage || error instanceof Failure) return instead;
    throw error;
  });
}

/** Decodes bytes of a file. A limit is reported with the file's name, which no filter knows. */
export function namingFile<T>(name: string, decoded: () => T): T {
  try {
    return decoded();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, say`${name}: ${error.wording}`, { kind: error.kind, hint: error.hint, cause: error });
  }
}
