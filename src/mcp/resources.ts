/** Serves files that this server has written to clients that read them by their links. */
import { closing } from '../contract/base/closing.ts';
import { Failure } from '../contract/base/failure.ts';
import type { Sandbox } from '../runtime/files/sandbox.ts';
import { isText } from './outputs.ts';
import type { PlacedFile } from './tool.ts';

/** A protocol message is one line in memory, and base64 is a third longer than its bytes. */
const MOST_BYTES = 7 * 1024 * 1024;
/** Most links; older ones are dropped, their files stay. */
const MOST_KEPT = 1_000;

/** How a file is listed, and named in an answer. */
interface Link {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
}

export interface Outputs {
  add(file: PlacedFile): void;
  has(uri: string): boolean;
  list(): Link[];
  read(uri: string): { uri: string; mimeType: string } & ({ text: string } | { blob: string });
}

export function createOutputs(sandbox: Sandbox): Outputs {
  const kept = new Map<string, PlacedFile>();
  return {
    add(file) {
      const uri = uriOf(file.path);
      kept.delete(uri);
      kept.set(uri, file);
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    },
    has: (uri) => kept.has(uri),
    list: () => [...kept.values()].map(linkOf),
    read(uri) {
      const { path = '', mediaType = '' } = kept.get(uri) ?? {};
      using workspace = closing(sandbox.workspace());
      const { source } = sandbox.source(path, [mediaType], workspace);
      if (source.size > MOST_BYTES) {
        throw new Failure('too_large', `${path} has ${source.size} bytes, more than fit into a message`, {
          hint: 'Read it from the disk.',
        });
      }
      const bytes = Buffer.alloc(source.size);
      source.read(bytes, 0);
      const mimeType = mediaType;
      if (isText(mediaType)) return { uri, mimeType, text: bytes.toString('utf8') };
      return { uri, mimeType, blob: bytes.toString('base64') };
    },
  };
}

export function linkOf({ path, mediaType, bytes }: PlacedFile): Link {
  return { uri: uriOf(path), name: path.replace(/^.*[/\\]/s, ''), mimeType: mediaType, size: bytes };
}

/** The file: address of a path. */
function uriOf(path: string): string {
  const slashes = path.replaceAll('\\', '/');
  const encoded = slashes.split('/').map(encodeURIComponent).join('/');
  return slashes.startsWith('/') ? `file://${encoded}` : `file:///${encoded.replace('%3A', ':')}`;
}
