/** The list of a key, made where there is none. */
export function listAt<K, T>(lists: Map<K, T[]>, key: K): T[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const fresh: T[] = [];
  lists.set(key, fresh);
  return fresh;
}
