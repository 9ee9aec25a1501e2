import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { Draft } from '../../src/contract/base/ports.ts';
import { draftPath } from '../../src/runtime/files/outputs/drafts.ts';
import { placeFolder } from '../../src/runtime/files/outputs/place.ts';
import { Workspace } from '../../src/runtime/files/outputs/workspace.ts';

const parent = mkdtempSync(join(tmpdir(), 'drafts-'));
let workspace = new Workspace();

afterEach(() => {
  workspace.close();
  expect(readdirSync(parent)).toEqual([]);
  workspace = new Workspace();
});

afterAll(() => rmSync(parent, { recursive: true }));

const create = (names: readonly string[]): Draft[] => {
  const temp = workspace.temp({ parent, name: 'the output' });
  return names.map((name) => temp.create(name));
};

it('is no file before its first bytes are written, and can be given up then', () => {
  const [draft] = create(['a']);
  draft!.write(Buffer.from('words'));
  draft!.discard();
  const again = create(['b'])[0]!;
  const path = draftPath(again.finish())!;
  expect(existsSync(path)).toBe(true);
  again.discard();
  expect(existsSync(path)).toBe(false);
});

it('of a folder to come are placed with one rename, and only where nothing else lies with them', async () => {
  const place = async (names: readonly string[], name: string) => {
    const temp = workspace.temp({ parent, name, together: true });
    const drafts = ['a.pdf', 'b.pdf'].map((each) => {
      const draft = temp.create(each);
      draft.write(Buffer.from(each));
      return { path: draftPath(draft.finish())!, name: each };
    });
    const path = join(parent, name);
    const target = { kind: 'folder', name, path } as const;
    await placeFolder(
      drafts.filter((draft) => names.includes(draft.name)),
      target,
      workspace.scratch(parent),
    );
    const found = readdirSync(path).map((each) => [each, readFileSync(join(path, each), 'utf8')]);
    const { mode } = statSync(path);
    rmSync(path, { recursive: true });
    return { found, mode: mode & 0o777, moved: !existsSync(dirname(drafts[0]!.path)) };
  };
  const mode = 0o777 & ~process.umask();
  const both = [
    ['a.pdf', 'a.pdf'],
    ['b.pdf', 'b.pdf'],
  ];
  expect(await place(['a.pdf', 'b.pdf'], 'whole')).toEqual({ found: both, mode, moved: true });
  expect(await place(['a.pdf'], 'partly')).toEqual({ found: both.slice(0, 1), mode, moved: false });
});
