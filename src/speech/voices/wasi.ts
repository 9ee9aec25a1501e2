// Runs a WebAssembly program of the WASI preview 1 kind once, with files in memory. Node's own WASI warns that it is
// experimental and needs a folder on the disk.
import { ConsoleStdout, File, type Inode, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';

export interface WasiRun {
  readonly code: number;
  readonly messages: string;
  /** The bytes of a file it was given or made; undefined where there is none. */
  read(name: string): Uint8Array | undefined;
}

/** Runs a command module with `files` in its root folder. Its clock stands still, so equal input gives equal bytes. */
export async function runWasi(
  module: WebAssembly.Module,
  args: readonly string[],
  files: Readonly<Record<string, Uint8Array>>,
): Promise<WasiRun> {
  const contents = new Map<string, Inode>(Object.entries(files).map(([name, bytes]) => [name, new File(bytes)]));
  const decoder = new TextDecoder();
  let messages = '';
  const output = new ConsoleStdout((bytes) => {
    messages += decoder.decode(bytes, { stream: true });
  });
  const descriptors = [new OpenFile(new File([])), output, output, new PreopenDirectory('/', contents)];
  const wasi = new WASI([...args], [], descriptors, { debug: false });
  const { exports } = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: { ...wasi.wasiImport, clock_time_get: () => 0 },
  });
  const { memory, _start } = exports as { memory: WebAssembly.Memory; _start(): void }; // every WASI command has both
  const code = wasi.start({ exports: { memory, _start } });
  return {
    code,
    messages,
    read(name) {
      const file = contents.get(name);
      return file instanceof File ? file.data : undefined;
    },
  };
}
