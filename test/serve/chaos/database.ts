import { openThreadParent } from '../../../src/runtime/processes/thread.ts';
import { serveStore } from '../../../src/serve/data.ts';

const parent = openThreadParent();
if (parent === undefined) throw new Error('started by hand');
await serveStore(parent);
