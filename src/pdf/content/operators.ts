/**
 * The operators of content streams (ISO 32000-1, Annex A) by their operands: n a number, N a name, s a string, a an
 * array of numbers, t an array of strings and numbers, c colour components, perhaps followed by a name. `-`: operators
 * that draw nothing. An inline image is `EI`: `BI` and `ID` alone never occur, or mean nothing.
 */
const BY_OPERANDS: Readonly<Record<string, string>> = {
  '': 'b B b* B* f F f* n s S W W* h q Q BT ET T* BX EX EI',
  n: 'w J j M i Tc Tw Tz TL Tr Ts G g',
  nn: 'm l Td TD d0',
  nnn: 'RG rg',
  nnnn: 'v y re K k',
  nnnnnn: 'c cm Tm d1',
  an: 'd',
  N: 'ri gs CS cs sh Do',
  Nn: 'Tf',
  s: "Tj '",
  nns: '"',
  t: 'TJ',
  c: 'SC SCN sc scn',
  '-': 'BI ID BMC BDC EMC MP DP',
};

export const OPERATORS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(BY_OPERANDS).flatMap(([operands, names]) => names.split(' ').map((name) => [name, operands])),
);

/** Operators that show text. */
export const SHOWS: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"']);
