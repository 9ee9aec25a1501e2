import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Field } from '../contract/field.ts';
import { EXTENSIONS } from '../contract/media.ts';
import { isBeside, type ServiceOperation } from '../contract/operation.ts';
import { Button } from './controls.tsx';
import { commandLine, curlLine, inspectionLines, labelOf, type Typed } from './lines.ts';
import { searchOf } from './redaction.ts';
import { fileFields, isFile, priceOf, REDACT } from './rows.ts';
import { checkFields, meaning } from './values.ts';

/** A file for a field besides the documents, such as a font. */
export interface Beside {
  readonly field: string;
  readonly file: File;
}

interface Props {
  readonly op: ServiceOperation;
  /** The names of the chosen documents. */
  readonly names: readonly string[];
  readonly pageCount: number | undefined;
  readonly typed: Typed;
  readonly onType: (typed: Typed) => void;
  readonly why: string | undefined;
  readonly isBusy: boolean;
  readonly onRun: (values: Readonly<Record<string, string>>, beside: readonly Beside[], line: string) => void;
  readonly onClose: () => void;
}

/** The form of a row: labelled controls, its price, and the equivalent commands. */
export function OperationForm({ op, names, pageCount, typed, onType, why, isBusy, onRun, onClose }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [beside, setBeside] = useState<readonly Beside[]>([]);
  const [isTried, setTried] = useState(false);
  useEffect(() => {
    setBeside([]);
    setTried(false);
    heading.current?.focus();
  }, [op]);
  const [main] = fileFields(op);
  const { values, issues } = checkFields(op, typed, pageCount);
  const missing = Object.entries(op.input).filter(
    ([name, field]) => isFile(field) && name !== main && field.required && !beside.some((one) => one.field === name),
  );
  const allIssues = { ...Object.fromEntries(missing.map(([name]) => [name, 'choose a file'])), ...issues };
  const line = commandLine(op, names, typed);
  const { origin } = location;
  const curl =
    op === REDACT ? inspectionLines(names, searchOf(values), origin) : curlLine(op, names, values, typed, origin);
  const run = (event: Event) => {
    event.preventDefault();
    setTried(true);
    const [wrong] = Object.keys(allIssues);
    if (wrong !== undefined) document.getElementById(`field-${wrong}`)?.focus();
    else if (why === undefined && !isBusy) onRun(values, beside, line);
  };
  const choose = (name: string, files: readonly File[]) => {
    setBeside([...beside.filter(({ field }) => field !== name), ...files.map((file) => ({ field: name, file }))]);
    onType({ ...typed, [name]: files.map((file) => file.name) });
  };
  return (
    <form class="operation" onSubmit={run} noValidate>
      <h2 tabIndex={-1} ref={heading}>
        {op.summary}
      </h2>
      {op.description !== undefined && <p>{op.description}.</p>}
      {Object.entries(op.input)
        .filter(([name, field]) => name !== main && !isBeside(field))
        .map(([name, field]) => (
          <Labelled
            key={name}
            name={name}
            field={field}
            issue={isTried || typed[name] !== undefined ? allIssues[name] : undefined}
            meaning={meaning(field, String(typed[name] ?? ''), pageCount)}
          >
            <Control
              name={name}
              field={field}
              value={typed[name]}
              isWrong={isTried && name in allIssues}
              onType={(value) => onType({ ...typed, [name]: value })}
              onChoose={(files) => choose(name, files)}
            />
          </Labelled>
        ))}
      <p class="run">
        <button type="submit" class="main" aria-disabled={why !== undefined || isBusy}>
          {isBusy ? 'Working…' : `Run (${priceOf(op)})`}
        </button>
        <Button text="Close" onClick={onClose} />
        {why !== undefined && <span class="why">To run it, {why}.</span>}
      </p>
      <CopyLine title="The same at a terminal" text={line} />
      <CopyLine title="The same with curl" text={curl} />
    </form>
  );
}

interface LabelledProps {
  readonly name: string;
  readonly field: Field;
  readonly issue: string | undefined;
  readonly meaning: string | undefined;
  readonly children: ComponentChildren;
}

function Labelled({ name, field, issue, meaning: means, children }: LabelledProps) {
  return (
    <div class={field.kind === 'flag' ? 'field switch' : 'field'}>
      <label for={`field-${name}`}>
        {labelOf(field.spelling ?? name)}
        {field.required && <span class="needed"> (needed)</span>}
      </label>
      {children}
      <p id={`about-${name}`} class="about">
        {field.summary}
        {field.kind === 'size' && '; 2 MB or 500 KB can be typed'}
        {field.default !== undefined && field.kind !== 'flag' && ` (${String(field.default)} unless given)`}
        {means !== undefined && <strong> This means {means}.</strong>}
        {issue !== undefined && <em role="alert"> {issue}</em>}
      </p>
    </div>
  );
}

interface ControlProps {
  readonly name: string;
  readonly field: Field;
  readonly value: Typed[string];
  readonly isWrong: boolean;
  readonly onType: (value: string | true | undefined) => void;
  readonly onChoose: (files: readonly File[]) => void;
}

function Control({ name, field, value, isWrong, onType, onChoose }: ControlProps) {
  const shared = {
    id: `field-${name}`,
    'aria-describedby': `about-${name}`,
    'aria-invalid': isWrong,
    'aria-required': field.required,
  };
  const type = (event: Event) => onType((event.currentTarget as HTMLInputElement).value); // the control's own event
  switch (field.kind) {
    case 'file':
    case 'files': {
      const accept = field.types.flatMap((mediaType) => EXTENSIONS[mediaType] ?? []).map((ending) => `.${ending}`);
      return (
        <input
          {...shared}
          type="file"
          multiple={field.kind === 'files'}
          accept={accept.join(',')}
          onChange={({ currentTarget }) => onChoose([...(currentTarget.files ?? [])])}
        />
      );
    }
    case 'flag': {
      // A flag that is on by default is stored as typed when turned off.
      const isOn = (value === true) !== (field.default === true);
      return (
        <input {...shared} type="checkbox" checked={isOn} onChange={() => onType(value === true ? undefined : true)} />
      );
    }
    case 'choice':
      return (
        <select {...shared} value={String(value ?? '')} onChange={type}>
          <option value="">{field.default === undefined ? 'choose…' : `${field.default} (default)`}</option>
          {field.values.map((choice) => (
            <option key={choice} value={String(choice)}>
              {String(choice)}
            </option>
          ))}
        </select>
      );
    case 'integer':
    case 'number':
      return (
        <input
          {...shared}
          type="number"
          min={field.min}
          max={field.max}
          step={field.kind === 'integer' ? 1 : 'any'}
          value={String(value ?? '')}
          onInput={type}
        />
      );
    case 'secret':
      return (
        <input {...shared} type="password" autocomplete="new-password" value={String(value ?? '')} onInput={type} />
      );
    case 'object':
      return <textarea {...shared} rows={3} value={String(value ?? '')} onInput={type} />;
    default:
      return <input {...shared} type="text" autocomplete="off" value={String(value ?? '')} onInput={type} />;
  }
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
