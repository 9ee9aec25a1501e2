/** Waiting times in milliseconds. */
export interface Timeouts {
  readonly connect: number;
  /** From the last byte sent to the head of the answer, and the longest stall of an upload. Operations may take minutes. */
  readonly headers: number;
  /** Longest silence inside a body. */
  readonly idle: number;
  /** The whole call with all tries; by default unlimited. */
  readonly total?: number;
}

export const TIMEOUTS: Timeouts = { connect: 10_000, headers: 300_000, idle: 60_000 };

export type KeyHeader = 'bearer' | 'x-api-key';

export interface RemoteSettings {
  /** As configured; checked at the first request. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** The header that carries the key: `Authorization: Bearer` (default) or `X-API-Key`. */
  readonly keyHeader?: KeyHeader | undefined;
  readonly userAgent?: string | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** PEM texts that are trusted besides the built-in authorities. */
  readonly ca?: readonly string[] | undefined;
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY as found. */
  readonly proxy?:
    | { readonly http?: string | undefined; readonly https?: string | undefined; readonly no?: string | undefined }
    | undefined;
  readonly entropy: Entropy;
  /** Receives the lines of the HTTP trace (`--debug`), with secrets masked. */
  readonly trace?: ((line: string) => void) | undefined;
}

/** Sources of randomness. */
interface Entropy {
  /** At least 0, below 1; for jitter. */
  fraction(): number;
  /** 32 hexadecimal digits that nobody can guess, for multipart boundaries and Idempotency-Keys. */
  token(): string;
}
