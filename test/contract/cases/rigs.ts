// The three ways a case runs: the program on this machine, the program against a server, and bytes typed by hand.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { CLEAN, type Folder, folder, pdftool } from '../../e2e/pdftool.ts';
import type { Case, Input } from './cases.ts';

/** What a run gave: bytes of its output, what it said, and the code it ended with. */
export interface Outcome {
  readonly code: number;
  readonly output: Buffer;
  readonly said: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export type Rig = (it: Case, inputs: Folder) => Promise<Outcome>;

const FIXTURES = join(import.meta.dirname, '../../fixtures');

/** The inputs of all cases in one folder. */
export function makeInputs(): Folder {
  const here = folder();
  const put = (name: Input, bytes: Uint8Array | string) => writeFileSync(here.at(name), bytes);
  const lorem = readFileSync(join(FIXTURES, 'lorem-ipsum.pdf'));
  put('lorem.pdf', lorem);
  put('guide.pdf', readFileSync(join(FIXTURES, 'guide.pdf')));
  // The end is missing, and with it the table of objects.
  put('cut.pdf', lorem.subarray(0, lorem.lastIndexOf('xref\n')));
  put('words.txt', 'Only words.\n');
  put('empty.pdf', '');
  execFileSync('qpdf', ['--encrypt', 'secret', 'owner', '256', '--', here.at('lorem.pdf'), here.at('locked.pdf')]);
  execFileSync('pdftoppm', ['-r', '30', '-l', '1', '-singlefile', '-png', here.at('lorem.pdf'), here.at('page')]);
  execFileSync('pdftoppm', ['-r', '30', '-l', '1', '-singlefile', '-jpeg', here.at('lorem.pdf'), here.at('photo')]);
  const args = ['images-to-pdf', '--local', here.at('page.png'), '-o', here.at('scan.pdf')];
  execFileSync(process.execPath, ['bin/pdftool.js', ...args], { env: CLEAN, stdio: 'ignore' });
  return here;
}

/** The program; on a server where `env` names one. */
export function programRig(engine: '--local' | '--remote', env: Readonly<Record<string, string>> = {}): Rig {
  return async ({ args, inputs, others = {}, expected, env: passwords }, here) => {
    using out = folder();
    const output = out.at('zip' in expected ? 'out.zip' : 'out');
    const record = 'record' in expected ? ['--json'] : ['-o', output];
    const beside = Object.entries(others).flatMap(([field, name]) => [`--${field}`, here.at(name)]);
    const words = [...args, ...inputs.map((name) => here.at(name)), ...beside, engine, ...record];
    const run = await pdftool(words, { env: { ...CLEAN, ...env, ...passwords } });
    const made = run.exitCode === 0 && !('record' in expected) ? readFileSync(output) : Buffer.from(run.stdout);
    return { code: run.exitCode ?? -1, output: made, said: run.stderr };
  };
}

/** Multipart as a person would write it, over a plain connection. The code is the status. */
export function rawRig(url: string, key: string): Rig {
  return ({ raw, inputs, others = {} }, here) => {
    const pieces: Buffer[] = [];
    for (const [name, value] of Object.entries(raw.fields ?? {})) {
      pieces.push(Buffer.from(`--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`));
    }
    const files = [...inputs.map((name) => ['file', name] as const), ...Object.entries(others)];
    for (const [field, name] of files) {
      const head = `--XX\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n`;
      pieces.push(Buffer.from(`${head}Content-Type: application/octet-stream\r\n\r\n`), readFileSync(here.at(name)));
      pieces.push(Buffer.from('\r\n'));
    }
    const body = Buffer.concat([...pieces, Buffer.from('--XX--\r\n')]);
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'multipart/form-data; boundary=XX',
      'Content-Length': body.length,
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${url}${raw.path}`, { method: 'POST', headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const output = Buffer.concat(chunks);
          const status = answer.statusCode ?? 0;
          const told = status === 200 ? '' : output.toString('utf8');
          // Header names and values as they came; none of those looked at is repeated.
          const heads = answer.headers as Record<string, string | undefined>;
          resolve({ code: status === 200 ? 0 : status, output, said: told, headers: heads });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  };
}
