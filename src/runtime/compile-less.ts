// Owns how eagerly V8 optimizes code in a process that ends within a second. Knows no operation.
import { setFlagsFromString } from 'node:v8';

/**
 * Optimizes later and inlines less. A run of half a second has dozens of functions that are just warm; optimizing them with
 * all that they call took another thread two thirds as much processor time as the work itself, and the work waited for it
 * where there is no second core. Like this a rotation takes 0.78 of the processor time, a merge of two manuals 0.85, a
 * split into 500 files 0.88. Measured on Node 20; later ones have a quicker compiler in between, and are left alone.
 */
export function compileLess(): void {
  if (!process.versions.node.startsWith('20.')) return;
  for (const flag of ['--interrupt-budget=270000', '--max-inlined-bytecode-size-cumulative=120'])
    setFlagsFromString(flag);
}
