import { useState } from 'preact/hooks';

interface Props {
  readonly isOpen: boolean;
  readonly credits: number | undefined;
  readonly onKey: (key: string, isRemembered: boolean) => void;
  readonly onOpen: () => void;
}

/** Asks for an API key once; it is stored only if the user wants. */
export function KeyForm({ isOpen, credits, onKey, onOpen }: Props) {
  const [key, setKey] = useState('');
  const [isRemembered, setRemembered] = useState(false);
  if (!isOpen) {
    return (
      <p class="credits">
        {credits !== undefined && `${credits} credits left `}
        <button type="button" onClick={onOpen}>
          Change key
        </button>
      </p>
    );
  }
  return (
    <form
      class="key"
      onSubmit={(event) => {
        event.preventDefault();
        onKey(key, isRemembered);
      }}
    >
      <label>
        API key{' '}
        <input
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={key}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
        />
      </label>
      <label>
        <input type="checkbox" checked={isRemembered} onChange={() => setRemembered(!isRemembered)} /> remember on this
        device
      </label>
      <button type="submit">Use this key</button>
    </form>
  );
}
