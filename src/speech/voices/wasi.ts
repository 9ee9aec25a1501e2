// A WebAssembly program of the WASI preview 1 kind, run once with files in memory. Node's own WASI warns that it is
// experimental and wants a folder on the disk.

/** What a program may write: a file that grows past it ends the run. */
const MOST_BYTES = 256 * 1024 * 1024;

const OK = 0;
const BAD_DESCRIPTOR = 8;
const NOT_FOUND = 44;
const TOO_LARGE = 22;
/** Standard input, output and error come first, then the one folder. */
const FOLDER = 3;
const CREATE = 1;
const TRUNCATE = 8;

class Exit {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

interface MemoryFile {
  bytes: Uint8Array;
  size: number;
}

interface Open {
  readonly file: MemoryFile;
  position: number;
}

export interface WasiRun {
  readonly code: number;
  /** Everything it said on standard output and standard error. */
  readonly said: string;
  /** The bytes of a file it was given or made; undefined where there is none. */
  read(name: string): Uint8Array | undefined;
}

/** Runs a command module with `files` in its root folder. Its clock stands still, so that equal input gives equal bytes. */
export async function runWasi(
  module: WebAssembly.Module,
  args: readonly string[],
  files: Readonly<Record<string, Uint8Array>>,
): Promise<WasiRun> {
  const text = new TextEncoder();
  const held = new Map<string, MemoryFile>(
    Object.entries(files).map(([name, bytes]) => [name, { bytes: bytes.slice(), size: bytes.length }]),
  );
  const open = new Map<number, Open>();
  const words = args.map((arg) => text.encode(`${arg}\0`));
  let said = '';
  let memory: WebAssembly.Memory | undefined;
  const view = () => new DataView((memory as WebAssembly.Memory).buffer); // set before the program starts
  const bytes = (at: number, length: number) => new Uint8Array((memory as WebAssembly.Memory).buffer, at, length);
  const decoder = new TextDecoder();

  const vectors = (at: number, count: number): Uint8Array[] => {
    const data = view();
    return Array.from({ length: count }, (_, i) =>
      bytes(data.getUint32(at + 8 * i, true), data.getUint32(at + 8 * i + 4, true)),
    );
  };
  const put = ({ file, position }: Open, chunk: Uint8Array): boolean => {
    const end = position + chunk.length;
    if (end > MOST_BYTES) return false;
    if (end > file.bytes.length) {
      const grown = new Uint8Array(Math.max(end, 2 * file.bytes.length, 64 * 1024));
      grown.set(file.bytes.subarray(0, file.size));
      file.bytes = grown;
    }
    file.bytes.set(chunk, position);
    file.size = Math.max(file.size, end);
    return true;
  };

  const calls = {
    args_sizes_get(count: number, size: number) {
      view().setUint32(count, words.length, true);
      view().setUint32(
        size,
        words.reduce((sum, word) => sum + word.length, 0),
        true,
      );
      return OK;
    },
    args_get(places: number, at: number) {
      let next = at;
      for (const [i, word] of words.entries()) {
        view().setUint32(places + 4 * i, next, true);
        bytes(next, word.length).set(word);
        next += word.length;
      }
      return OK;
    },
    clock_time_get(_id: number, _precision: bigint, at: number) {
      view().setBigUint64(at, 0n, true);
      return OK;
    },
    fd_close(fd: number) {
      return open.delete(fd) ? OK : BAD_DESCRIPTOR;
    },
    fd_fdstat_get(fd: number, at: number) {
      if (fd > FOLDER && !open.has(fd)) return BAD_DESCRIPTOR;
      bytes(at, 24).fill(0);
      // A character device, a folder, a file.
      view().setUint8(at, fd < FOLDER ? 2 : fd === FOLDER ? 3 : 4);
      view().setBigUint64(at + 8, 0xffff_ffffn, true);
      view().setBigUint64(at + 16, 0xffff_ffffn, true);
      return OK;
    },
    fd_fdstat_set_flags: () => OK,
    fd_prestat_get(fd: number, at: number) {
      if (fd !== FOLDER) return BAD_DESCRIPTOR;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 1, true);
      return OK;
    },
    fd_prestat_dir_name(_fd: number, at: number) {
      bytes(at, 1)[0] = '/'.charCodeAt(0);
      return OK;
    },
    fd_read(fd: number, at: number, count: number, read: number) {
      const from = open.get(fd);
      let total = 0;
      for (const into of from === undefined ? [] : vectors(at, count)) {
        const { file, position } = from as Open; // there are vectors only where it is
        const chunk = file.bytes.subarray(position, Math.min(file.size, position + into.length));
        into.set(chunk);
        (from as Open).position += chunk.length;
        total += chunk.length;
      }
      view().setUint32(read, total, true);
      return from === undefined && fd >= FOLDER ? BAD_DESCRIPTOR : OK;
    },
    fd_seek(fd: number, offset: bigint, whence: number, at: number) {
      const from = open.get(fd);
      if (from === undefined) return BAD_DESCRIPTOR;
      from.position = Number(offset) + [0, from.position, from.file.size][whence]!; // 0, 1 and 2 are all there are
      view().setBigUint64(at, BigInt(from.position), true);
      return OK;
    },
    fd_write(fd: number, at: number, count: number, written: number) {
      const to = open.get(fd);
      let total = 0;
      for (const chunk of vectors(at, count)) {
        if (to === undefined && fd < FOLDER) said += decoder.decode(chunk, { stream: true });
        else if (to === undefined) return BAD_DESCRIPTOR;
        else if (!put(to, chunk)) return TOO_LARGE;
        else to.position += chunk.length;
        total += chunk.length;
      }
      view().setUint32(written, total, true);
      return OK;
    },
    path_open(
      _folder: number,
      _lookup: number,
      at: number,
      length: number,
      flags: number,
      _rights: bigint,
      _inherited: bigint,
      _fdflags: number,
      opened: number,
    ) {
      const name = decoder.decode(bytes(at, length).slice());
      let file = held.get(name);
      if (file === undefined && (flags & CREATE) === 0) return NOT_FOUND;
      file ??= { bytes: new Uint8Array(0), size: 0 };
      if ((flags & TRUNCATE) !== 0) file.size = 0;
      held.set(name, file);
      let fd = FOLDER + 1;
      while (open.has(fd)) fd++;
      open.set(fd, { file, position: 0 });
      view().setUint32(opened, fd, true);
      return OK;
    },
    proc_exit(code: number) {
      throw new Exit(code);
    },
  };

  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: calls });
  memory = instance.exports.memory as WebAssembly.Memory; // every WASI command exports both
  let code = 0;
  try {
    (instance.exports._start as () => void)();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    code = error.code;
  }
  return {
    code,
    said,
    read(name) {
      const file = held.get(name);
      return file?.bytes.subarray(0, file.size);
    },
  };
}
