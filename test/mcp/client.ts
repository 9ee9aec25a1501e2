import { copyFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { Client, type ClientOptions, type ProgressCallback } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CLEAN, type Folder, folder, PROGRAM } from '../e2e/pdftool.ts';

/** The newest revision of the protocol, and the one with a handshake that older clients speak. */
export const ERAS = ['modern', 'legacy'] as const;
export type Era = (typeof ERAS)[number];

export interface Answered {
  readonly isError: boolean;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what tools answer is looked at key by key
  readonly record: any;
  readonly links: readonly { uri: string; name: string; mimeType?: string; size?: number }[];
}

export interface SessionOptions {
  readonly era?: Era;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Answers the server's questions; left out, the client says that it cannot ask. */
  readonly person?: (question: string) => {
    action: 'accept' | 'decline' | 'cancel';
    content?: Record<string, boolean>;
  };
  readonly here?: Folder;
}

/** A real client with the built program as its server, in a folder of its own. */
export class Session implements AsyncDisposable {
  readonly here: Folder;
  readonly client: Client;
  readonly transport: StdioClientTransport;
  /** Questions that the person was asked. */
  readonly asked: string[] = [];
  /** What came on standard error. */
  told = '';
  readonly #own: boolean;

  private constructor({ era = 'modern', args = [], env = CLEAN, person, here }: SessionOptions) {
    this.here = here ?? folder();
    this.#own = here === undefined;
    const options: ClientOptions = {
      capabilities: person === undefined ? {} : { elicitation: { form: {} } },
      ...(era === 'modern' ? { versionNegotiation: { mode: 'auto' as const } } : {}),
    };
    this.client = new Client({ name: 'test', version: '1' }, options);
    if (person !== undefined) {
      this.client.setRequestHandler('elicitation/create', async ({ params }) => {
        this.asked.push(params.message);
        return person(params.message);
      });
    }
    this.transport = new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', ...args],
      env,
      cwd: this.here.path,
      stderr: 'pipe',
    });
    this.transport.stderr?.on('data', (chunk: Buffer) => {
      this.told += chunk.toString();
    });
  }

  static async open(options: SessionOptions = {}): Promise<Session> {
    const session = new Session(options);
    await session.client.connect(session.transport);
    return session;
  }

  /** Brings files of test/fixtures into the folder. */
  bring(...names: readonly string[]): void {
    for (const name of names) copyFileSync(fixture(name), join(this.here.path, name));
  }

  /** A picture of one grey pixel, dot.png. */
  bringPng(): void {
    writeFileSync(this.here.at('dot.png'), png());
  }

  write(name: string, text: string): void {
    writeFileSync(this.here.at(name), text);
  }

  async call(
    name: string,
    args: Record<string, unknown> = {},
    more: { onprogress?: ProgressCallback; signal?: AbortSignal } = {},
  ): Promise<Answered> {
    const result = await this.client.callTool({ name: `pdftool_${name}`, arguments: args }, more);
    const content = result.content as readonly { type: string; text?: string; uri?: string }[];
    return {
      isError: result.isError === true,
      text: content.find(({ type }) => type === 'text')?.text ?? '',
      record: result.structuredContent,
      links: content.filter(({ type }) => type === 'resource_link') as never,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    if (this.#own) this.here[Symbol.dispose]();
  }
}

export function fixture(name: string): string {
  return resolve(import.meta.dirname, '../fixtures', name);
}

/** One grey pixel. */
function png(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const magic = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    magic,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.from([0, 128]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
