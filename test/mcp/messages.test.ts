// What a client may send over standard input, message or not: each line is answered, and the server goes on.
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { onlyMessages } from '../../src/mcp/messages.ts';
import { CLEAN, folder, PROGRAM } from '../e2e/pdftool.ts';

interface Told {
  readonly id: number | string | null;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: { readonly isError?: boolean; readonly structuredContent?: { error?: { message: string } } };
}

const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const called = (id: number, name: string, args: object) =>
  request(id, 'tools/call', { name: `pdftool_${name}`, arguments: args });

describe('a line', () => {
  it.each([
    ['{nope', null, -32_700],
    ['"text"', null, -32_600],
    ['[]', null, -32_600],
    ['{"id":7,"method":"ping"}', 7, -32_600],
    ['{"jsonrpc":"2.0","id":7}', 7, -32_600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null, -32_600],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', 7, -32_600],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}', 7, -32_602],
    ['{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":1}}', 7, -32_602],
    [`{"jsonrpc":"2.0","id":7,"params":${'['.repeat(100)}${']'.repeat(100)}}`, null, -32_600],
  ])('%s is answered for %s with %i', (line, id, code) => {
    const answers: Told[] = [];
    const passed: string[] = [];
    const messages = onlyMessages((answer) => void answers.push(JSON.parse(answer) as Told));
    messages.on('data', (chunk) => passed.push(String(chunk)));
    messages.write(`${line}\n`);
    expect(answers).toMatchObject([{ id, error: { code } }]);
    expect(passed).toEqual([]);
  });

  it('that is a message goes on as it is, in whatever pieces it comes', async () => {
    const passed: string[] = [];
    const messages = onlyMessages((answer) => void passed.push(`answer ${answer}`));
    messages.on('data', (chunk) => passed.push(String(chunk)));
    const line = `${JSON.stringify(request(1, 'pïng'))}\n`;
    for (const byte of Buffer.from(`${line}\n${line}`)) messages.write(Buffer.from([byte]));
    await new Promise<void>((resolve) => messages.end(resolve));
    expect(passed).toEqual([line, line]);
  });
});

it('the server answers lines that are none, absurd names and 11 MB, and goes on', { timeout: 60_000 }, async () => {
  using here = folder();
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], { cwd: here.path, env: CLEAN, stdio: 'pipe' });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const long = 'n'.repeat(5_000);
  const lines = [
    request(0, 'initialize', client),
    'no message',
    called(1, 'rotate_pdf', { path: `${long}.pdf`, angle: 90 }),
    called(2, 'rotate_pdf', { path: 'a\u001b[31m\nb.pdf', angle: 90 }),
    called(3, 'rotate_pdf', { path: 'a.pdf', angle: 90, output: `${'n'.repeat(300)}.pdf` }),
    called(4, 'rotate_pdf', { path: 'a.pdf', angle: { [long]: long }, [long]: 1 }),
    called(5, `\u001b${long}`, {}),
    request(6, 'resources/read', { uri: `file:///${long}` }),
    request(7, long),
    request(8, 'ping', { filler: 'x'.repeat(11 * 1024 ** 2) }),
    request(9, 'ping'),
  ];
  for (const line of lines) child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  const answers = () => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Told]));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  while (!text.includes('"id":9') && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
  const said = (id: number) => {
    const told = answers().find((answer) => answer.id === id);
    return told?.error?.message ?? told?.result?.structuredContent?.error?.message ?? '';
  };
  expect(said(1)).toBe('path: a name of a file has at most 255 bytes, found 5004');
  expect(said(2)).toMatch(/^path: a name of a file has no line ends/);
  expect(said(3)).toMatch(/^output: a name of a file has at most 255 bytes, found 304/);
  expect(said(4)).toMatch(/there is no argument nnn/);
  expect(answers().filter(({ id }) => id === null)).toMatchObject([
    { error: { code: -32_700 } },
    { error: { code: -32_600, message: expect.stringMatching(/at most 10485760/) } },
  ]);
  expect(answers().find(({ id }) => id === 9)?.result).toEqual({});
  for (const { id } of answers()) {
    expect(said(Number(id)).length).toBeLessThan(700);
    expect(said(Number(id))).not.toMatch(/\u001b|Invalid (key|type|input)|Expected "/);
  }
  child.stdin.end();
  await ended;
});
