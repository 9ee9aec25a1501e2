// The compiler holds that a row has its handler: `npm run typecheck` reads these lines.
import type { Handlers } from '../../../src/local/engine.ts';
import type { seal, sealThere } from './rows.ts';

type Rows = typeof seal | typeof sealThere;

void ({ seal: () => import('./handler.ts'), 'seal-there': () => import('./handler.ts') } satisfies Handlers<Rows>);
// @ts-expect-error The handler of seal-there is missing.
void ({ seal: () => import('./handler.ts') } satisfies Handlers<Rows>);
