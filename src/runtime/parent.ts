// Owns the channel of a child process to the one that started it. Knows nothing of what is said.

export interface Parent {
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Aborted when the parent is gone: nobody waits for the work any more. */
  readonly gone: AbortSignal;
}

/** Undefined where this process was started by hand. */
export function openParent(): Parent | undefined {
  if (process.send === undefined) return undefined;
  const controller = new AbortController();
  process.once('disconnect', () => controller.abort(new Error('the parent process ended')));
  return {
    send(message) {
      if (process.connected) process.send?.(message, undefined, undefined, () => {});
    },
    onMessage: (listener) => void process.on('message', listener),
    gone: controller.signal,
  };
}
