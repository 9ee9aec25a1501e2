import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

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

/** A button that saves a file under its name. */
export function Save({ blob, name }: { readonly blob: Blob; readonly name: string }) {
  const save = () => {
    const address = URL.createObjectURL(blob);
    const link = Object.assign(document.createElement('a'), { href: address, download: name });
    link.click();
    // The browser reads the URL after this event.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };
  return <Button text="Save" label={`Save ${name}`} onClick={save} />;
}

/** A command that can be copied. */
export function CopyLine({ title, text }: { readonly title: string; readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div class="line">
      <h3>{title}</h3>
      <code>{text}</code>
      <Button text={isCopied ? 'Copied' : 'Copy'} label={`Copy: ${title}`} onClick={copy} />
    </div>
  );
}

interface SecretProps {
  readonly class?: string;
  readonly label: string;
  /** The text of the button that sends it. */
  readonly text: string;
  readonly onSend: (secret: string) => void;
  readonly children?: ComponentChildren;
}

/** Asks for a key or a password, which the browser does not store. */
export function SecretForm({ class: kind, label, text, onSend, children }: SecretProps) {
  const [secret, setSecret] = useState('');
  const send = (event: Event) => {
    event.preventDefault();
    onSend(secret);
  };
  const type = (event: Event) => setSecret((event.currentTarget as HTMLInputElement).value); // the field's own event
  return (
    <form class={kind} onSubmit={send}>
      <label>
        {label} <input type="password" autocomplete="off" spellcheck={false} value={secret} onInput={type} />
      </label>{' '}
      {children}
      <button type="submit">{text}</button>
    </form>
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
