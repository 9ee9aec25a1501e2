import { execFileSync } from 'node:child_process';

/** Rows coded by Ghostscript, with entries of /DecodeParms. */
export function faxed(rows: Uint8Array, columns: number, parms: string): Uint8Array {
  const program = `/o (%stdout) (w) file def /f o <</Columns ${columns} ${parms}>> /CCITTFaxEncode filter def
    /s 65535 string def { (%stdin) (r) file s readstring exch f exch writestring not { exit } if } loop
    f closefile o closefile quit`;
  return execFileSync('gs', ['-q', '-dNODISPLAY', '-dBATCH', '-dNOSAFER', '-c', program], { input: rows });
}
