/** Waiting times in milliseconds. */
export interface Timeouts {
  readonly connect: number;
  /** From the last byte sent to the head of the answer, and the longest stall of an upload. A charged operation may work for minutes. */
  readonly headers: number;
  /** Longest silence inside a body. */
  readonly idle: number;
  /** The whole call with all its tries; left out: none. */
  readonly total?: number;
}

export const TIMEOUTS: Timeouts = { connect: 10_000, headers: 300_000, idle: 60_000 };

export type KeyHeader = 'bearer' | 'x-api-key';

export interface RemoteSettings {
  /** As configured; checked before the first request. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** The header that carries the key: `Authorization: Bearer` (default) or `X-API-Key`. */
  readonly keyHeader?: KeyHeader | undefined;
  readonly userAgent?: string | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** PEM texts trusted beside the built-in authorities. */
  readonly ca?: readonly string[] | undefined;
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY as found. */
  readonly proxy?:
    | { readonly http?: string | undefined; readonly https?: string | undefined; readonly no?: string | undefined }
    | undefined;
  readonly entropy: Entropy;
  /** Takes the lines of the HTTP trace (`--debug`); secrets are masked before they get here. */
  readonly trace?: ((line: string) => void) | undefined;
}

/** Randomness, which only runtime/ has. */
interface Entropy {
  /** At least 0, below 1: jitter. */
  fraction(): number;
  /** 32 hexadecimal digits nobody can guess: multipart boundaries, Idempotency-Keys. */
  token(): string;
}
