declare module 'node:sqlite' {
  export class DatabaseSync {
    constructor(path: string);
    exec(text: string): void;
    prepare(text: string): {
      run(...values: (string | number | null)[]): { changes: number | bigint };
      get(...values: (string | number | null)[]): unknown;
      all(...values: (string | number | null)[]): unknown[];
    };
    close(): void;
  }
}
