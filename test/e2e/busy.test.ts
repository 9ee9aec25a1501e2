// Whatever library is busy, the first signal ends the run within two seconds of an idle machine (D2 of the security work).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { pdfOf } from '../structure/run.ts';
import { CLEAN, folder, PROGRAM } from './pdftool.ts';

const MOST = 2_000;
/** Levels of forms that each draw the next one twice: four million of them. */
const LEVELS = 22;

/** A page in a font that is left to pdf.js, which then follows the forms for half a minute without a pause. */
function endless(): string {
  const stream = (entries: string, content: string) =>
    `<<${entries}/Length ${content.length}>>stream\n${content}\nendstream`;
  const form = (level: number) =>
    stream(
      `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X ${level + 7} 0 R>>>>`,
      level + 1 < LEVELS ? '/X Do /X Do' : '0 0 1 1 re f',
    );
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Resources<</Font<</F 4 0 R>>/XObject<</X 6 0 R>>>>/Contents 5 0 R>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Foo/Encoding/MacExpertEncoding>>',
    stream('', 'BT /F 9 Tf 9 9 Td (abc) Tj ET /X Do'),
    ...Array.from({ length: LEVELS }, (_, level) => form(level)),
  ]);
}

describe('while pdf.js follows forms without end', () => {
  it.each([
    ['extract-text', 'SIGTERM', 143],
    ['to-json', 'SIGINT', 130],
    ['markdown', 'SIGTERM', 143],
  ] as const)('%s ends at the first %s', async (command, signal, exit) => {
    using here = folder();
    writeFileSync(here.at('endless.pdf'), endless());
    const args = [PROGRAM, command, 'endless.pdf', '-v', '-o', command === 'to-json' ? 'o.json' : 'o.md', '--force'];
    const child = spawn(process.execPath, args, { cwd: here.path, env: CLEAN, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    while (!said.includes('left to pdf.js') && child.exitCode === null) await sleep(20);
    // It is at work by then.
    await sleep(1_500);
    expect(child.exitCode).toBe(null);
    const began = performance.now();
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect([code, said]).toEqual([exit, expect.stringMatching(/interrupted|stopped by a signal/)]);
    expect(performance.now() - began).toBeLessThan(MOST);
    expect(here.list()).toEqual(['endless.pdf']);
  });
});
