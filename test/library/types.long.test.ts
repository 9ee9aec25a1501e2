// The types as a caller's compiler reads them: strict, for both kinds of module, with every example of the docs.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EXAMPLES, project, ROOT } from './project.ts';

const CALLS = `
const merged = await merge(['a.pdf', new Uint8Array(), new Blob([]), { name: 'b.pdf', data: new ArrayBuffer(1) }], { title: 'x' });
merged.bytes satisfies Uint8Array;
merged.warnings satisfies readonly string[];
const written = await merge(['a.pdf', 'b.pdf'], { output: 'out.pdf', force: true });
written.path satisfies string;
const { stream } = await compress('a.pdf', { as: 'stream', target: '200KB', onProgress: ({ done }) => void (done satisfies number) });
stream satisfies ReadableStream<Uint8Array>;
for await (const { name, bytes } of split('a.pdf', { ranges: [[1, 3], [5, 9]], signal: AbortSignal.timeout(1000) })) {
  name satisfies string;
  bytes satisfies Uint8Array;
}
(await info('a.pdf')).page_count satisfies number;
(await markdown('a.pdf')).chunks[0]?.text satisfies string | undefined;
(await markdown('a.pdf', { outputFormat: 'markdown' })).bytes satisfies Uint8Array;
(await images('a.pdf', { list: true })).pictures[0]?.width satisfies number | undefined;
for await (const { mediaType } of images('a.pdf')) mediaType satisfies string;
// @ts-expect-error an angle must be given
await rotate('a.pdf');
// @ts-expect-error it is a right angle
await rotate('a.pdf', { angle: 45 });
// @ts-expect-error there is no such option
await merge(['a.pdf', 'b.pdf'], { titel: 'x' });
// @ts-expect-error what is written is not in memory too
(await merge(['a.pdf', 'b.pdf'], { output: 'out.pdf' })).bytes;
// @ts-expect-error it is a list
await merge('a.pdf');
try {
  await compare(['a.pdf', 'b.pdf']);
} catch (error) {
  if (error instanceof PdftoolError) error.code satisfies string;
}
`;
const NAMES = 'merge, compress, split, info, markdown, images, rotate, compare, PdftoolError';

it('are right in strict TypeScript, as an ES module and as CommonJS', () => {
  const folder = project();
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true };
  const lib = { lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], types: ['node'], target: 'es2023' };
  const compilerOptions = { ...strict, ...lib, module: 'nodenext', skipLibCheck: false, verbatimModuleSyntax: true };
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.mts', '*.cts'] }));
  write('module.mts', `import { ${NAMES} } from 'pdftool';\n${CALLS}`);
  write(
    'common.cts',
    `import pdftool = require('pdftool');\nconst { ${NAMES} } = pdftool;\nexport = async () => {${CALLS}};\n`,
  );
  for (const [at, { code }] of EXAMPLES.entries()) write(`example-${at}.mts`, code);
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    expect((error as { stdout: string }).stdout).toBe('');
  }
});
