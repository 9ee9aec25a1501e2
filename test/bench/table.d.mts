type Results = Readonly<Record<string, Readonly<Record<string, { readonly ms: number[]; readonly bytes: number[] }>>>>;

export const ROWS: Readonly<Record<string, string>>;
export function measuredTable(node: string, results: Results): string;
export function withTable(document: string, table: string): string;
export function tableIn(document: string): string;
