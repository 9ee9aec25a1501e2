// What `info` and `merge` say of one file.
import { pdftool } from '../e2e/pdftool.ts';

interface Said {
  readonly page_count?: number;
  readonly output?: { readonly pages: number };
  readonly error?: { readonly code: string; readonly kind?: string; readonly message: string };
}

/** Where they differ: how many pages, or why none. The second input of a merge has four pages. */
export async function differences(names: readonly string[], cwd: string): Promise<unknown[]> {
  const apart: unknown[] = [];
  for (const name of names) {
    const said = async (args: string[]): Promise<Said> =>
      JSON.parse((await pdftool([...args, '--json'], { cwd })).stdout);
    const info = await said(['info', name]);
    const merged = await said(['merge', name, 'one.pdf', '-o', 'out.pdf', '--force']);
    const pages = merged.output === undefined ? undefined : merged.output.pages - 4;
    const same =
      info.error === undefined
        ? info.page_count === pages
        : [info.error.code, info.error.message].join() === [merged.error?.code, merged.error?.message].join();
    if (!same) apart.push({ name, info: info.error ?? info.page_count, merge: merged.error ?? pages });
  }
  return apart;
}
