/** The result of `work`; undefined where it fails, and the caller goes on without it. */
export function ifPossible<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
