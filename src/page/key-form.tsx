import { useState } from 'preact/hooks';
import { Button, SecretField } from './controls.tsx';

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
        <Button text="Change key" onClick={onOpen} />
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
      <SecretField label="API key" value={key} onType={setKey} />
      <label>
        <input type="checkbox" checked={isRemembered} onChange={() => setRemembered(!isRemembered)} /> remember on this
        device
      </label>
      <button type="submit">Use this key</button>
    </form>
  );
}
