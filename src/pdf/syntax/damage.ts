import { Failure } from '../../contract/failure.ts';

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

/** Runs work on a file; Damage met in it is marked with the file. */
export async function markDamage<T>(file: object, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Damage) error.file ??= file;
    throw error;
  }
}

/** Decodes bytes of a file: a limit that is met is said with the file's name, which no filter knows. */
export function namingFile<T>(name: string, decoded: () => T): T {
  try {
    return decoded();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, `${name}: ${error.message}`, { kind: error.kind, hint: error.hint, cause: error });
  }
}
