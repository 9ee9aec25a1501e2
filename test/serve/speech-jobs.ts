import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, vi } from 'vitest';
import { type Folder, folder } from '../e2e/pdftool.ts';
import { form, type Rig, startRig } from './rig.ts';

export const GUIDE = readFileSync(resolve(import.meta.dirname, '../fixtures/guide.pdf'));
export const LOREM = readFileSync(resolve(import.meta.dirname, '../fixtures/lorem-ipsum.pdf'));

// Sound takes a second of processor time a minute; machines that are shared have few of those.
vi.setConfig({ testTimeout: 240_000 });

export let rig: Rig;
export let here: Folder;
beforeAll(async () => {
  rig = await startRig();
  here = folder();
});
afterAll(async () => {
  await rig.close();
  here[Symbol.dispose]();
});

export interface Job {
  readonly job_id: string;
  readonly status_url: string;
  readonly status: string;
  readonly credits_reserved?: number;
  readonly credits_charged?: number;
  readonly minutes?: number;
  readonly pages?: readonly { page: number; start: number; end: number }[];
  readonly result_url?: string;
  readonly error_code?: string;
  readonly error_message?: string;
}

export async function create(path: string, file: Uint8Array, fields: Record<string, string> = {}): Promise<Response> {
  return rig.send(`/api/v1/${path}`, form({ 'book.pdf': file }, fields));
}

export async function ended(job: Job, from = rig): Promise<Job> {
  for (;;) {
    const now = (await (await from.send(new URL(job.status_url).pathname)).json()) as Job;
    if (!['queued', 'running'].includes(now.status)) return now;
    await new Promise((after) => setTimeout(after, 200));
  }
}

export async function credits(amount: number): Promise<void> {
  await rig.server.service.store.grant(rig.account, amount, `test ${Math.random()}`, Date.now());
}

export async function pdfOf(...texts: string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of texts) {
    document
      .addPage([595, 842])
      .drawText(text.replace(/(.{60,75}) /g, '$1\n'), { x: 50, y: 650, size: 8, lineHeight: 9, font });
  }
  return document.save();
}
