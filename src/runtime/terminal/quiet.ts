/** Loads something without Node's "experimental" warning, which would stand between the lines of a log. Other warnings are shown. */
export async function withoutExperimentalWarning<T>(load: () => Promise<T>): Promise<T> {
  const { emitWarning } = process;
  // The overloads of emitWarning cannot be told apart here; all arguments are handed on as they came.
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!/is an experimental feature/.test(String(warning))) emitWarning.call(process, warning, ...rest);
  }) as typeof emitWarning;
  try {
    return await load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
