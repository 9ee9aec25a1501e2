import { spawn } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLEAN, folder, PROGRAM } from '../e2e/pdftool.ts';
import { fixture } from './client.ts';

interface Message {
  readonly jsonrpc: string;
  readonly id?: number;
  readonly result?: { readonly tools?: readonly { name: string; inputSchema: { properties: object } }[] };
  readonly error?: { readonly code: number };
}

/** The program, spoken to by hand: every line of its standard output is looked at. */
function start(cwd: string, args: readonly string[] = []) {
  const child = spawn(process.execPath, [PROGRAM, 'mcp', ...args], {
    cwd,
    env: CLEAN,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const messages: Message[] = [];
  const strange: string[] = [];
  let rest = '';
  let told = '';
  let exit: number | null | undefined;
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const each of waiting.splice(0)) each();
  };
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      try {
        const message = JSON.parse(line) as Message;
        if (message.jsonrpc === '2.0') messages.push(message);
        else strange.push(line);
      } catch {
        strange.push(line);
      }
    }
    wake();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk;
  });
  child.on('close', (code) => {
    exit = code;
    wake();
  });
  const until = async (met: () => boolean) => {
    while (!met() && exit === undefined) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return {
    child,
    messages,
    strange: () => [...strange, ...(rest === '' ? [] : [rest])],
    told: () => told,
    send: (text: string) => void child.stdin.write(`${text}\n`),
    answer: async (id: number) => {
      await until(() => messages.some((message) => message.id === id));
      return messages.find((message) => message.id === id);
    },
    ended: async () => {
      await until(() => false);
      return exit;
    },
  };
}

const request = (id: number, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const hello = request(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'by hand', version: '1' },
});

describe('standard output', () => {
  it('carries nothing but the protocol, for every tool and every failure', async () => {
    using here = folder();
    for (const name of ['guide.pdf', 'lorem-ipsum.pdf']) copyFileSync(fixture(name), here.at(name));
    writeFileSync(
      here.at('damaged.pdf'),
      '%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\ntrailer<</Root 1 0 R>>',
    );
    writeFileSync(here.at('empty.pdf'), '');
    const server = start(here.path);
    server.send(hello);
    await server.answer(1);
    server.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    server.send(request(2, 'tools/list'));
    const tools = (await server.answer(2))?.result?.tools ?? [];
    expect(tools.length).toBeGreaterThanOrEqual(31);
    let id = 10;
    for (const { name, inputSchema } of tools) {
      for (const path of ['lorem-ipsum.pdf', 'damaged.pdf', 'empty.pdf', 'missing.pdf', '../x.pdf', 7, null]) {
        const args = Object.keys(inputSchema.properties).flatMap((key): [string, unknown][] => {
          if (key === 'path') return [[key, path]];
          if (key === 'paths') return [[key, [path, path]]];
          return key === 'angle' ? [[key, 90]] : key === 'text' || key === 'job_id' ? [[key, 'x']] : [];
        });
        id += 1;
        server.send(request(id, 'tools/call', { name, arguments: Object.fromEntries(args) }));
        expect((await server.answer(id))?.result, `${name} ${path}`).toBeDefined();
      }
    }
    for (const wrong of [
      '',
      'hello',
      '{"jsonrpc":"2.0"',
      '[]',
      '{"jsonrpc":"1.0","id":8,"method":"ping"}',
      request(3, 'no/such/method'),
      request(4, 'tools/call', { name: 'no_such_tool' }),
      request(5, 'resources/read', { uri: 'file:///etc/passwd' }),
      request(6, 'ping'),
    ]) {
      server.send(wrong);
    }
    expect((await server.answer(4))?.error?.code).toBe(-32602);
    expect((await server.answer(5))?.error?.code).toBe(-32602);
    await server.answer(6);
    server.child.stdin.end();
    expect(await server.ended()).toBe(0);
    expect(server.strange()).toEqual([]);
  }, 120_000);

  it('stays clean where the server cannot start, and standard error says why', async () => {
    using here = folder();
    for (const [args, why] of [
      [['--root', '/no/such/folder'], /no\/such\/folder/],
      [['--prefix', 'ä'], /--prefix/],
      [['--max-credits', 'many'], /--max-credits/],
      [['extra'], /./],
    ] as const) {
      const server = start(here.path, args);
      expect(await server.ended(), args.join(' ')).not.toBe(0);
      expect(server.strange()).toEqual([]);
      expect(server.told(), args.join(' ')).toMatch(why);
    }
  });

  it.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT'] as const)(
    'ends with %s, and leaves nothing behind',
    async (name) => {
      using here = folder();
      copyFileSync(fixture('guide.pdf'), here.at('guide.pdf'));
      const server = start(here.path);
      server.send(hello);
      await server.answer(1);
      server.send(request(2, 'tools/call', { name: 'pdftool_extract_text', arguments: { path: 'guide.pdf' } }));
      server.child.kill(name);
      await server.ended();
      expect(server.strange()).toEqual([]);
      expect(here.list()).toEqual(['guide.pdf']);
    },
  );
});
