/** `rejection`: of a promise that nobody waits for. `exception`: uncaught; the program's state may be inconsistent. */
export type Stray = 'rejection' | 'exception';

/** Reports unhandled rejections and exceptions. From then on an uncaught exception does not end the process by itself. */
export function watchStray(tell: (kind: Stray, detail: string) => void): () => void {
  const detail = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));
  const rejected = (error: unknown) => tell('rejection', detail(error));
  const thrown = (error: unknown) => tell('exception', detail(error));
  process.on('unhandledRejection', rejected);
  process.on('uncaughtException', thrown);
  return () => {
    process.removeListener('unhandledRejection', rejected);
    process.removeListener('uncaughtException', thrown);
  };
}
