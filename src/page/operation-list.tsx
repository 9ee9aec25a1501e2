import { useState } from 'preact/hooks';
import { type ServiceOperation, wordsOf } from '../contract/operation.ts';
import { groupedRows, priceOf } from './rows.ts';

interface Props {
  /** The open operation. */
  readonly op: ServiceOperation | undefined;
  readonly onOpen: (op: ServiceOperation) => void;
}

/** The operations by group, with a search. */
export function OperationList({ op, onOpen }: Props) {
  const [search, setSearch] = useState('');
  const groups = groupedRows(search);
  const openFirst = ({ key }: KeyboardEvent) => {
    const [first] = groups.flatMap(({ rows }) => rows);
    if (key === 'Enter' && search !== '' && first !== undefined) onOpen(first);
  };
  return (
    <nav aria-label="Operations">
      <h2>What to do</h2>
      <label for="search">Search</label>
      <input
        id="search"
        type="search"
        value={search}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        onKeyDown={openFirst}
      />
      <p role="status">{groups.length === 0 && 'Nothing is found by these words.'}</p>
      {groups.map(({ title, rows }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <ul class="operations">
            {rows.map((row) => (
              <li key={row.name}>
                <button type="button" onClick={() => onOpen(row)} aria-current={row === op}>
                  <strong>{wordsOf(row)}</strong> {row.summary}
                  <span class="price">{priceOf(row)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
