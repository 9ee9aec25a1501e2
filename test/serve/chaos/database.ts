import { openThreadParent } from '../../../src/runtime/thread.ts';
import { serveStore } from '../../../src/serve/data.ts';

const parent = openThreadParent();
if (parent === undefined) throw new Error('started by hand');
await serveStore(parent);
