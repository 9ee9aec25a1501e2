/** Results with what they are of, in the order of the items, while as many as `most` are worked on. */
export async function* inOrder<I, T>(
  items: Iterable<I>,
  most: number,
  work: (item: I) => Promise<T>,
): AsyncGenerator<readonly [I, T]> {
  const begun: (readonly [I, Promise<T>])[] = [];
  for (const item of items) {
    const result = work(item);
    // Awaited in its turn, or never where an earlier one fails.
    result.catch(() => undefined);
    begun.push([item, result]);
    if (begun.length >= most) yield* ended(begun.splice(0, 1));
  }
  yield* ended(begun);
}

async function* ended<I, T>(works: readonly (readonly [I, Promise<T>])[]): AsyncGenerator<readonly [I, T]> {
  for (const [item, result] of works) yield [item, await result];
}
