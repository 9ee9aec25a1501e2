// The operator's account area. The admin key is kept in memory only.
import { useRef, useState } from 'preact/hooks';
import { Button, SecretForm, Trouble } from './controls.tsx';
import { labelOf } from './lines.ts';
import { RequestError, type ServiceClient } from './service.ts';
import { sizeText } from './values.ts';

interface Overview {
  readonly version: string;
  readonly health: { readonly ready: boolean; readonly reason?: string };
  readonly keys: readonly {
    readonly id: string;
    readonly account: string;
    readonly label: string | null;
    readonly created_at: string;
    readonly revoked_at: string | null;
    readonly credits: { readonly available: number; readonly used: number };
  }[];
  /** The day of the first number of `use`, credits a day. */
  readonly since: string;
  readonly use: readonly number[];
  /** Numbers of jobs by state, and the unfinished jobs, the oldest first. */
  readonly states: Readonly<Record<string, number>>;
  readonly jobs: readonly {
    readonly id: string;
    readonly account: string;
    readonly workflow: string;
    readonly state: string;
    readonly created_at: string;
    readonly bytes: number;
  }[];
}

export function Admin({ service }: { readonly service: ServiceClient }) {
  const key = useRef('');
  const [overview, setOverview] = useState<Overview>();
  const [trouble, setTrouble] = useState('');
  const [status, setStatus] = useState('');
  /** Performs an action, reports it, and refreshes the overview. */
  const act = async (path?: string, given: object = {}, done = (_: Record<string, unknown>) => '') => {
    try {
      if (path !== undefined) setStatus(done(await service.json(`/admin${path}`, given, { key: key.current })));
      const answer = await service.json('/admin/overview', undefined, { key: key.current });
      setOverview(answer as unknown as Overview); // of our own server
      setTrouble('');
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setTrouble(error.message);
    }
  };
  return (
    <section aria-label="Account area" class="admin">
      <h2>Account area</h2>
      <SecretForm
        label="Admin key"
        text={overview === undefined ? 'Open' : 'Refresh'}
        onSend={(given) => {
          key.current = given;
          act();
        }}
      />
      <p role="status">{status}</p>
      <Trouble text={trouble} />
      {overview !== undefined && (
        <>
          <p>
            pdftool {overview.version}: {overview.health.ready ? 'ready' : `not ready, ${overview.health.reason}`}
          </p>
          <Use since={overview.since} use={overview.use} />
          <Keys keys={overview.keys} act={act} />
          <Queue {...overview} act={act} />
        </>
      )}
    </section>
  );
}

interface Acts {
  readonly act: (path: string, given: object, done: (answer: Record<string, unknown>) => string) => void;
}

function Queue({ keys, states, jobs, act }: Acts & Pick<Overview, 'keys' | 'states' | 'jobs'>) {
  const counts = Object.entries(states).map(([state, count]) => `${count} ${labelOf(state)}`);
  /** An account by the names of its keys. */
  const who = (account: string) =>
    keys.flatMap((key) => (key.account === account && key.label !== null ? [key.label] : [])).join(', ') || account;
  return (
    <>
      <h3>Queue of all accounts</h3>
      <p>{counts.join(', ') || 'No jobs.'}</p>
      <ol class="plain">
        {jobs.map(({ id, account, workflow, state, created_at, bytes }) => (
          <li key={id}>
            {id} of <bdi>{who(account)}</bdi>: {workflow}, {sizeText(bytes)}, {labelOf(state)}, since{' '}
            {new Date(created_at).toLocaleString()}{' '}
            <Button text={`Cancel ${id}`} onClick={() => act(`/jobs/${id}/cancel`, {}, () => `${id} is cancelled.`)} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Keys({ keys, act }: Acts & Pick<Overview, 'keys'>) {
  const [label, setLabel] = useState('');
  const [credits, setCredits] = useState('100');
  return (
    <>
      <h3>Keys</h3>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setLabel('');
          const given = label === '' ? {} : { label };
          act('/keys', given, ({ api_key }) => `The new key, which is shown once: ${api_key}`);
        }}
      >
        <label>
          Name of a new key <input value={label} onInput={({ currentTarget }) => setLabel(currentTarget.value)} />
        </label>{' '}
        <button type="submit">Make a key</button>
      </form>
      <label>
        Credits to grant{' '}
        <input type="number" min={1} value={credits} onInput={({ currentTarget }) => setCredits(currentTarget.value)} />
      </label>
      <ul class="plain">
        {keys.map(({ id, label, revoked_at, credits: { available, used } }) => (
          <li key={id}>
            <bdi>{label ?? 'without a name'}</bdi> ({id}):{' '}
            {revoked_at === null ? `${available} credits left, ${used} used ` : 'revoked'}
            {revoked_at === null && (
              <>
                <Button
                  text={`Grant ${credits}`}
                  label={`Grant ${credits} credits to ${label ?? id}`}
                  onClick={() =>
                    act(
                      `/keys/${id}/credits`,
                      { credits: Number(credits) },
                      ({ credits_remaining }) => `${label ?? id} has ${credits_remaining} credits.`,
                    )
                  }
                />
                <Button
                  text="Revoke"
                  label={`Revoke ${label ?? id}`}
                  onClick={() => {
                    if (confirm(`Revoke ${label ?? id}? It cannot be used again.`))
                      act(`/keys/${id}/revoke`, {}, () => `${label ?? id} is revoked.`);
                  }}
                />
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Credits by day as bars, with a text for screen readers. */
function Use({ since, use }: Pick<Overview, 'since' | 'use'>) {
  const most = Math.max(1, ...use);
  const all = use.reduce((sum, credits) => sum + credits, 0);
  const words = `${all} credits used in ${use.length} days since ${since}, ${Math.max(0, ...use)} on the busiest day, ${use.at(-1) ?? 0} today`;
  return (
    <figure class="use">
      <svg role="img" aria-label={words} viewBox={`0 0 ${use.length * 10} 60`} preserveAspectRatio="none">
        {use.map((credits, day) => (
          <rect
            key={day}
            x={day * 10 + 1}
            width={8}
            y={59 - (58 * credits) / most}
            height={(58 * credits) / most + 1}
          />
        ))}
      </svg>
      <figcaption>{words}</figcaption>
    </figure>
  );
}
