/** Yields items with their results in the given order, while up to `most` items are in progress. */
export async function* inOrder<I, T>(
  items: Iterable<I>,
  most: number,
  work: (item: I) => Promise<T>,
): AsyncGenerator<readonly [I, T]> {
  const begun: (readonly [I, Promise<T>])[] = [];
  for (const item of items) {
    const result = work(item);
    // A rejection is thrown when its turn comes; it is not unhandled where an earlier item failed.
    result.catch(() => undefined);
    begun.push([item, result]);
    if (begun.length >= most) yield* ended(begun.splice(0, 1));
  }
  yield* ended(begun);
}

async function* ended<I, T>(works: readonly (readonly [I, Promise<T>])[]): AsyncGenerator<readonly [I, T]> {
  for (const [item, result] of works) yield [item, await result];
}
