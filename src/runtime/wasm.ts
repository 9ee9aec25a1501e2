// Owns how far V8 compiles WebAssembly in this process. Knows no module.
import { setFlagsFromString } from 'node:v8';

/**
 * Leaves WebAssembly as it was compiled first. The HTTP client's parser is one: it reads a few heads, V8 then compiles it
 * again in a thread of its own, and no process ends before that is done: 60 to 150 ms after a remote call's last word.
 */
export function compileOnce(): void {
  setFlagsFromString('--wasm-tiering-budget=2000000000');
}
