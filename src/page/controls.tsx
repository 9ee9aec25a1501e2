interface ButtonProps {
  readonly text: string;
  /** A name for screen readers, instead of the text. */
  readonly label?: string;
  readonly title?: string;
  readonly onClick: () => void;
}

/** A button that sends no form. */
export function Button({ text, label, title, onClick }: ButtonProps) {
  return (
    <button type="button" onClick={onClick} aria-label={label} title={title}>
      {text}
    </button>
  );
}

interface SecretProps {
  readonly label: string;
  readonly value: string;
  readonly onType: (value: string) => void;
}

/** A field for a key or a password, which the browser does not store. */
export function SecretField({ label, value, onType }: SecretProps) {
  return (
    <label>
      {label}{' '}
      <input
        type="password"
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </label>
  );
}

/** Shows an error message as an alert; renders nothing for an empty text. */
export function Trouble({ text }: { readonly text: string }) {
  if (text === '') return null;
  return (
    <p role="alert" class="trouble">
      {text}
    </p>
  );
}
