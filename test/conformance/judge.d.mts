/** `path`: the class path; `why`: what is missing. */
export function judgeClasses(): { readonly path?: string; readonly why?: string };
export function judge(
  files: readonly (readonly [flavour: string, path: string])[],
  classes?: { readonly path?: string },
): Promise<{ readonly verdict: 'PASS' | 'FAIL' | 'ERR'; readonly rules: string }[]>;
