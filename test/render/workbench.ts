// A Context of the real machine for tests that draw: files on disk, and the built program as the process that draws.
import { resolve } from 'node:path';
import type { ByteSource, Context, PageDrawer } from '../../src/contract/base/ports.ts';
import { openSource } from '../../src/pdf/file/open.ts';
import { openDrawer } from '../../src/pdf/render/drawer.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { Workspace } from '../../src/runtime/files/outputs/workspace.ts';
import { fileSource } from '../../src/runtime/files/system/file-source.ts';
import { type Kept, startDrawer } from '../../src/runtime/processes/page-drawer.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/pdftool.js');

export class Workbench {
  readonly details: string[] = [];
  readonly abort = new AbortController();
  readonly context: Context;
  private readonly workspace = new Workspace();

  /** `program`: what is started to draw, with its arguments. `kept`: where it waits for the next document. */
  constructor(program: readonly string[] = [process.execPath, PROGRAM, '__draw'], kept?: Kept) {
    const { signal } = this.abort;
    this.context = {
      signal,
      clock: systemClock,
      temp: this.workspace.temp({ name: 'the output' }),
      drawPages: (file, document) => startDrawer(program, file, document, systemClock, signal, kept),
      progress() {},
      detail: (line) => void this.details.push(line),
    };
  }

  file(path: string): ByteSource {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const { descriptors } = this.workspace;
    return fileSource(descriptors.open(path, name), descriptors);
  }

  async open(path: string, password?: string): Promise<PageDrawer> {
    const input = this.file(path);
    const source = await openSource(input, { password: async () => password });
    return openDrawer(source, input, this.context);
  }

  [Symbol.dispose](): void {
    this.abort.abort(new Error('the test is over'));
    this.workspace.close();
  }
}
