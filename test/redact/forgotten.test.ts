// What a redaction looked for is in no file of the database once it is forgotten.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { openSql } from '../../src/serve/store/driver.ts';
import { PRAGMAS } from '../../src/serve/store/tables.ts';
import { folder } from '../e2e/pdftool.ts';

const here = folder();
afterAll(() => here[Symbol.dispose]());

it('the write-ahead log is emptied once a secret was overwritten', async () => {
  const sql = await openSql(here.at('serve.db'), process.versions.node);
  const holds = () => readdirSync(here.path).filter((name) => readFileSync(here.at(name)).includes('Quorlax'));
  try {
    sql.exec(PRAGMAS);
    sql.exec('CREATE TABLE jobs (id TEXT, options TEXT)');
    sql.transact(() => sql.run('INSERT INTO jobs VALUES (?, ?)', 'a', 'find Quorlax'));
    expect(holds()).not.toEqual([]);
    sql.transact(() => {
      sql.run('UPDATE jobs SET options = ? WHERE id = ?', '{}', 'a');
      sql.forget();
    });
    expect(holds()).toEqual([]);
  } finally {
    sql.close();
  }
});
