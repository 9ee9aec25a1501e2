import { useEffect, useRef, useState } from 'preact/hooks';
import type { Field } from '../contract/field.ts';
import { EXTENSIONS } from '../contract/media.ts';
import { isBeside, type ServiceOperation } from '../contract/operation.ts';
import { Button, CopyLine } from './controls.tsx';
import { commandLine, curlLine, inspectionLines, labelOf, type Typed } from './lines.ts';
import { searchOf } from './redaction.ts';
import { fileFields, isFile, priceOf, REDACT } from './rows.ts';
import { checkFields, meaning } from './values.ts';

/** A file for a field besides the documents, such as a font. */
interface Beside {
  readonly field: string;
  readonly file: File;
}

/** The files and options of an operation. */
export interface Asked {
  readonly typed: Typed;
  /** The texts to send, by field. */
  readonly values: Readonly<Record<string, string>>;
  readonly beside: readonly Beside[];
  /** The same as a command. */
  readonly line: string;
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
  readonly onRun: (asked: Asked) => void;
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
    else if (why === undefined && !isBusy) onRun({ typed, values, beside, line });
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
            value={typed[name]}
            pageCount={pageCount}
            issue={isTried || typed[name] !== undefined ? allIssues[name] : undefined}
            isWrong={isTried && name in allIssues}
            onType={(value) => onType({ ...typed, [name]: value })}
            onChoose={(files) => choose(name, files)}
          />
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

interface LabelledProps extends ControlProps {
  readonly pageCount: number | undefined;
  readonly issue: string | undefined;
}

function Labelled({ pageCount, issue, ...control }: LabelledProps) {
  const { name, field, value } = control;
  const means = meaning(field, String(value ?? ''), pageCount);
  return (
    <div class={field.kind === 'flag' ? 'field switch' : 'field'}>
      <label for={`field-${name}`}>
        {labelOf(field.spelling ?? name)}
        {field.required && <span class="needed"> (needed)</span>}
      </label>
      <Control {...control} />
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
  const written = {
    ...shared,
    value: String(value ?? ''),
    onInput: (event: Event) => onType((event.currentTarget as HTMLInputElement).value), // the control's own event
  };
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
        <select {...written}>
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
        <input {...written} type="number" min={field.min} max={field.max} step={field.kind === 'integer' ? 1 : 'any'} />
      );
    case 'secret':
      return <input {...written} type="password" autocomplete="new-password" />;
    case 'object':
      return <textarea {...written} rows={3} />;
    default:
      return <input {...written} type="text" autocomplete="off" />;
  }
}
