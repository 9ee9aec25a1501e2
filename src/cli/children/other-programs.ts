import type { Context } from '../../contract/ports.ts';

/** What a Context is given to work with other programs and packages; loaded where an operation may want them. */
export async function otherPrograms(): Promise<Required<Pick<Context, 'programs' | 'packageFile'>>> {
  const [{ systemPrograms }, { packageFile }] = await Promise.all([
    import('../../runtime/processes/programs.ts'),
    import('../../runtime/folders/package-files.ts'),
  ]);
  return { programs: systemPrograms, packageFile };
}
