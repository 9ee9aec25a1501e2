import { LIMITS } from '../contract/limits.ts';
import type { ServiceOperation } from '../contract/operation.ts';
import { EXTENSION } from './json-schema.ts';

export interface ServerFacts {
  readonly version: string;
  readonly workflows: Readonly<Record<string, object>>;
  /** The request limit where a row has none. */
  readonly uploadBytes: number;
}

export function capabilities(
  rows: readonly ServiceOperation[],
  { version, workflows, uploadBytes }: ServerFacts,
): object {
  const listed = rows.map((op) => {
    const why =
      op.disabled ??
      (op.local === true || op.group === 'service' || op.replay === 'safe' ? undefined : String(op.local));
    return {
      name: op.name,
      summary: op.summary,
      method: op.method,
      path: op.path,
      aliases: op.pathAliases,
      available: why === undefined,
      reason: why,
      cost: op.cost,
      fields: Object.keys(op.input),
      limits: op.body === 'none' ? {} : { inputBytes: uploadBytes, ...op.limits },
      returns: [...new Set(Object.values(op.outputs).map(({ mediaType }) => mediaType))],
      tools: Object.keys(op.tools),
      ...(op.extension === true ? EXTENSION : {}),
    };
  });
  return {
    ok: true,
    service: 'pdftool serve',
    version,
    api: 'v1',
    authentication: ['Authorization: Bearer <API_KEY>', 'X-API-Key: <API_KEY>'],
    operations: listed,
    workflows: Object.fromEntries(Object.entries(workflows).map(([name, row]) => [name, { available: true, ...row }])),
    features: { ocr: false, images: false, callbacks: false, redaction: true, speech: false, translation: false },
    credits: { free: LIMITS.freeCredits, expire: false },
    openapi: '/openapi.json',
  };
}
