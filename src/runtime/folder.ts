// Owns making a folder for outputs. Knows nothing of what goes into it.
import { mkdirSync } from 'node:fs';
import { writeFailure } from './file-failure.ts';

/** Makes a folder and those above it; one that exists is fine. */
export function makeFolder(name: string): void {
  try {
    mkdirSync(name, { recursive: true });
  } catch (error) {
    throw writeFailure(error, name);
  }
}
