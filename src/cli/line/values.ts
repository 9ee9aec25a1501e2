import type { Parsed } from '../../contract/field-text.ts';

/** `30` (seconds), `500ms`, `30s`, `10m`, `2h`, in milliseconds. */
export function parseDuration(text: string): Parsed {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?$/.exec(text.trim());
  const unit = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 }[match?.[2] ?? 's'];
  const value = match === null || unit === undefined ? 0 : Math.round(Number(match[1]) * unit);
  if (value > 0 && Number.isSafeInteger(value)) return { value };
  return { issue: `expected a duration such as 30s or 10m, found ${text}` };
}
