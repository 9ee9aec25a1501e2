const STEPS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** Bytes in units of 1024, as the service counts them: `812 bytes`, `3.4 MB`, `120 MB`. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let step = 0;
  // 1023.5 KB would be shown as 1024 KB: it belongs to the next unit.
  while (value >= (step === 0 ? 1024 : 1023.5) && step < STEPS.length - 1) {
    value /= 1024;
    step += 1;
  }
  if (step === 0) return count(bytes, 'byte');
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${STEPS[step]}`;
}

/** `40 ms`, `1.2 s`, `3 min 05 s`, `2 h 07 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 995) return `${Math.max(0, Math.round(milliseconds / 10) * 10)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${pad(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${pad(Math.floor((seconds % 3600) / 60))} min`;
}

/** `1 page`, `1,204 pages`. */
export function count(amount: number, noun: string): string {
  return `${grouped(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

/** `1,204`. */
export function grouped(amount: number): string {
  return String(amount).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function pad(amount: number): string {
  return String(amount).padStart(2, '0');
}
