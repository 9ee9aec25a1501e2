import { Failure } from '../../contract/failure.ts';
import { say } from '../../contract/wording.ts';

/** The file contradicts itself or ends early; the reader may try again by scanning it. */
export class Damage extends Error {
  /** The file it was met in, set by `markDamage`. */
  file: object | undefined;

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'Damage';
  }
}

/** The data of a stream cannot be decoded. Where the stream stands, and what its dictionary says, may be right. */
export class Undecodable extends Damage {}

/** It was encrypted, and its key is lost: other readers would take what is encrypted for content. */
export class KeyLost extends Damage {}

/** Content or a font that can be read in more than one way: what must be certain, such as redaction, refuses it. */
export class Unreadable extends Error {}

/** Runs work on a file; Damage met in it is marked with the file. */
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

/** What `work` reads; `instead` where it meets Damage. */
export function unlessDamaged<T, D>(instead: D, work: () => T): T | D {
  try {
    return work();
  } catch (error) {
    if (error instanceof Damage) return instead;
    throw error;
  }
}

/** As `unlessDamaged`, also where a limit is met or the file is refused. */
export function unlessRefused<T, D>(instead: D, work: () => T): T | D {
  try {
    return work();
  } catch (error) {
    if (error instanceof Damage || error instanceof Failure) return instead;
    throw error;
  }
}

/** Decodes bytes of a file. A limit that is met is reported with the file's name, which no filter knows. */
export function namingFile<T>(name: string, decoded: () => T): T {
  try {
    return decoded();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, say`${name}: ${error.wording}`, { kind: error.kind, hint: error.hint, cause: error });
  }
}
