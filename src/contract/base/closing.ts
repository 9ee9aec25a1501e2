/** Closes the thing at the end of its block: `using open = closing(thing)`. */
export function closing<T extends { close(): void }>(thing: T): T & Disposable {
  return Object.assign(thing, { [Symbol.dispose]: () => thing.close() });
}

/** Does `work` at the end of the block: `using _ = atEnd(work)`. */
export function atEnd(work: () => void): Disposable {
  return { [Symbol.dispose]: work };
}

/** The same for work that takes time: `await using _ = atLast(work)`. */
export function atLast(work: () => Promise<void>): AsyncDisposable {
  return { [Symbol.asyncDispose]: work };
}

/** The error that came first. Where closing fails as well, a SuppressedError holds both, the later one in front. */
export function firstError(error: unknown): unknown {
  return error instanceof Error && error.name === 'SuppressedError' && 'suppressed' in error
    ? firstError(error.suppressed)
    : error;
}
