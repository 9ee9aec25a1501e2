import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ByteSource, BytesResult, PartsResult, RecordResult } from '../../src/contract/base/ports.ts';
import * as info from '../../src/local/info.ts';
import { take } from '../../src/local/pages/pages.ts';
import { merge, split } from '../local.ts';
import { bytesOf, createContext, sourceOf } from '../properties/context.ts';

type MergeOptions = Omit<Parameters<typeof merge>[0], 'file'>;

/** A folder for outputs, removed at the end. */
export class OutputFolder {
  private readonly folder = mkdtempSync(join(tmpdir(), 'structure-'));
  private count = 0;

  /** Keeps a text, one byte a character, as a file. */
  keep(name: string, content: string | Uint8Array): string {
    const path = join(this.folder, name);
    writeFileSync(path, content, 'latin1');
    return path;
  }

  async merge(
    paths: readonly string[],
    options: MergeOptions = {},
  ): Promise<{ path: string; warnings: readonly string[] }> {
    const result = await this.mergeRaw(paths, options);
    return { path: await this.write(result.body), warnings: result.warnings ?? [] };
  }

  mergeRaw(paths: readonly string[], options: MergeOptions = {}): Promise<BytesResult> {
    return merge({ file: paths.map(open), ...options }, createContext());
  }

  async split(
    path: string,
    ranges: readonly (readonly [number, number])[],
  ): Promise<{ paths: string[]; result: PartsResult }> {
    const result = await split({ file: open(path), ranges }, createContext());
    const paths: string[] = [];
    for (const { body } of result.parts) paths.push(await this.write(body));
    return { paths, result };
  }

  /** A PDF of some pages, in the order given. */
  async take(path: string, pages: string): Promise<{ path: string; warnings: readonly string[] }> {
    const result = await take({ file: open(path), pages }, createContext());
    return { path: await this.write(result.body), warnings: result.warnings ?? [] };
  }

  info(path: string): Promise<RecordResult> {
    return info.run({ file: open(path) }, createContext());
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async write(body: ByteSource): Promise<string> {
    this.count += 1;
    return this.keep(`output-${this.count}.pdf`, await bytesOf(body));
  }
}

export function open(path: string): ByteSource {
  return sourceOf(path.slice(path.lastIndexOf('/') + 1), readFileSync(path));
}

/** A PDF of the given objects, numbered from 1, the first of which is the catalog. */
export function pdfOf(objects: readonly string[]): string {
  let text = '%PDF-1.7\n';
  const places = objects.map((object, i) => {
    const place = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const start = text.length;
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return `${text}xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
}
