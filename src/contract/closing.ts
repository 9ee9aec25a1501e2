/** What is closed at the end of its block: `using open = closing(thing)`. */
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
