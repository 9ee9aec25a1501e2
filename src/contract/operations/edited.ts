import { CREDITS, OWN_LIMITS } from '../limits.ts';
import { PDF } from '../media.ts';

/** What rows share that give an edited PDF back. `suffix`: of its name. */
export const edited = (suffix: string) =>
  ({
    method: 'POST',
    cost: { credits: CREDITS.standard },
    body: 'multipart',
    limits: { inputBytes: OWN_LIMITS.editInput },
    outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix } } },
    success: 200,
    failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable'],
    replay: 'never',
    local: true,
    extension: true,
  }) as const;
