/** The inputs of forms by their kinds. Each gets the value as the site takes it, and gives such a value. */

import { type ComponentType, lazy, useEffect, useState } from 'react';
import { say } from '../lib/say.ts';
import { describedBy } from './field.tsx';
import { type FieldSchema, type InputKind, Unfinished } from './schema.ts';
import { useTerms } from './vocabulary.ts';

export type InputProps = {
  id: string;
  field: FieldSchema;
  value: unknown;
  onChange: (value: unknown) => void;
  help?: string | undefined;
  problem?: string | undefined;
  isRequired?: boolean;
};

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
/** An empty text is no value, except where the site has the empty text as its default. */
const emptyOf = ({ default: fallback }: FieldSchema): unknown => (fallback === '' ? '' : null);

const lineOf =
  (type: string): ComponentType<InputProps> =>
  ({ id, field, value, onChange, ...more }) => (
    <input
      {...describedBy(id, more)}
      type={type}
      value={textOf(value)}
      maxLength={field.maxLength}
      required={more.isRequired}
      autoComplete={type === 'password' ? 'new-password' : undefined}
      onChange={({ target }) => onChange(target.value === '' ? emptyOf(field) : target.value)}
    />
  );

const TextInput = ({ id, field, value, onChange, ...more }: InputProps) => (
  <textarea
    {...describedBy(id, more)}
    rows={Math.min(12, Math.max(3, textOf(value).split('\n').length + 1))}
    value={textOf(value)}
    maxLength={field.maxLength}
    required={more.isRequired}
    onChange={({ target }) => onChange(target.value === '' ? emptyOf(field) : target.value)}
  />
);

const numberOf =
  (step: string): ComponentType<InputProps> =>
  ({ id, field, value, onChange, ...more }) => (
    <input
      {...describedBy(id, more)}
      type="number"
      step={step}
      min={field.minimum}
      max={field.maximum}
      value={textOf(value)}
      required={more.isRequired}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
    />
  );

const YesNoInput = ({ id, value, onChange, ...more }: InputProps) => (
  <input
    {...describedBy(id, more)}
    className="switch"
    type="checkbox"
    checked={value === true}
    onChange={({ target }) => onChange(target.checked)}
  />
);

const DateInput = ({ id, value, onChange, ...more }: InputProps) => (
  <input
    {...describedBy(id, more)}
    type="date"
    value={textOf(value).slice(0, 10)}
    required={more.isRequired}
    onChange={({ target }) => onChange(target.value || null)}
  />
);

/** A time as an input of the browser has it: in the time zone of the reader, without a zone. */
function localTime(value: unknown): string {
  const date = new Date(textOf(value));
  if (textOf(value) === '' || Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const TimeInput = ({ id, value, onChange, ...more }: InputProps) => (
  <input
    {...describedBy(id, more)}
    type="datetime-local"
    value={localTime(value)}
    required={more.isRequired}
    onChange={({ target }) => onChange(target.value === '' ? null : new Date(target.value).toISOString())}
  />
);

function ChoiceInput({ id, field, value, onChange, ...more }: InputProps) {
  const { terms } = useTerms(field);
  const present = textOf(value);
  const isUnknown = present !== '' && !terms.some(({ token }) => token === present);
  return (
    <select
      {...describedBy(id, more)}
      value={present}
      required={more.isRequired}
      onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
    >
      {(!more.isRequired || present === '') && <option value="">{say('No value')}</option>}
      {isUnknown && <option value={present}>{present}</option>}
      {terms.map(({ token, title }) => (
        <option key={token} value={token}>
          {title}
        </option>
      ))}
    </select>
  );
}

/** Up to this number of choices all are shown; more are searched. */
const MAX_BOXES = 15;

function ChoicesInput(props: InputProps) {
  const { id, field, value, onChange, ...more } = props;
  const { terms } = useTerms(field);
  const [words, setWords] = useState('');
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const isLong = terms.length > MAX_BOXES;
  const found = terms.filter(({ token, title }) =>
    words === '' ? !isLong || chosen.includes(token) : title.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <div {...describedBy(id, more)} className="choices">
      {isLong && (
        <input
          type="search"
          value={words}
          placeholder={say('Find a choice')}
          aria-label={say('Find a choice')}
          onChange={({ target }) => setWords(target.value)}
        />
      )}
      {found.slice(0, 50).map(({ token, title }) => (
        <label key={token} className="box">
          <input
            type="checkbox"
            checked={chosen.includes(token)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, token] : chosen.filter((one) => one !== token))
            }
          />
          {title}
        </label>
      ))}
    </div>
  );
}

/** A list of texts, one a line. */
function LinesInput({ id, value, onChange, ...more }: InputProps) {
  const lines = Array.isArray(value) ? value.map(String) : [];
  const [text, setText] = useState(lines.join('\n'));
  const stored = lines.join('\n');
  useEffect(() => {
    setText((old) => (linesIn(old).join('\n') === stored ? old : stored));
  }, [stored]);
  return (
    <>
      <textarea
        {...describedBy(id, more)}
        rows={Math.min(10, Math.max(2, lines.length + 1))}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          onChange(linesIn(target.value));
        }}
      />
      <p className="help">{say('One a line.')}</p>
    </>
  );
}

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const RichTextInput = ({ id, value, onChange, ...more }: InputProps) => {
  const record = typeof value === 'object' && value !== null ? value : {};
  const data = 'data' in record ? textOf(record.data) : '';
  return (
    <>
      <textarea
        {...describedBy(id, more)}
        className="code"
        rows={8}
        value={data}
        onChange={({ target }) => onChange({ ...record, data: target.value, 'content-type': 'text/html' })}
      />
      <p className="help">{say('HTML. The site keeps what its rules allow.')}</p>
    </>
  );
};

/** The reason why a text is no JSON; undefined for JSON and for an empty text. */
function faultOf(text: string): string | undefined {
  try {
    if (text.trim() !== '') JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Any value as JSON. A text that is no JSON yet stays in the input. */
function JsonInput({ id, value, onChange, problem, ...more }: InputProps) {
  const stored = value instanceof Unfinished ? value.text : (JSON.stringify(value, null, 2) ?? '');
  const [text, setText] = useState(stored);
  const fault = faultOf(text);
  useEffect(() => {
    setText((old) => (sameJson(old, stored) ? old : stored));
  }, [stored]);
  const change = (next: string): void => {
    setText(next);
    if (faultOf(next) !== undefined) onChange(new Unfinished(next));
    else onChange(next.trim() === '' ? null : JSON.parse(next));
  };
  return (
    <>
      <textarea
        {...describedBy(id, { ...more, problem })}
        className="code"
        spellCheck={false}
        rows={Math.min(24, Math.max(4, text.split('\n').length))}
        value={text}
        onChange={({ target }) => change(target.value)}
      />
      {fault !== undefined && (
        <p className="problem" role="alert">
          {say('This is not JSON yet: {reason}', { reason: fault })}
        </p>
      )}
    </>
  );
}

function sameJson(a: string, b: string): boolean {
  if (faultOf(a) !== undefined || faultOf(b) !== undefined || a.trim() === '') return a === b;
  return JSON.stringify(JSON.parse(a)) === (b === '' ? '' : JSON.stringify(JSON.parse(b)));
}

const ContentInput = lazy(() => import('./content-input.tsx'));
const FileInput = lazy(() => import('./file-input.tsx'));

/** The input of each kind. */
export const INPUTS: Readonly<Record<InputKind, ComponentType<InputProps>>> = {
  line: lineOf('text'),
  text: TextInput,
  password: lineOf('password'),
  email: lineOf('email'),
  url: lineOf('url'),
  integer: numberOf('1'),
  number: numberOf('any'),
  'yes-no': YesNoInput,
  date: DateInput,
  time: TimeInput,
  choice: ChoiceInput,
  choices: ChoicesInput,
  lines: LinesInput,
  object: ContentInput,
  objects: ContentInput,
  file: FileInput,
  'rich-text': RichTextInput,
  json: JsonInput,
};

/** Kinds that are several inputs under one title. */
export const GROUPS: ReadonlySet<InputKind> = new Set<InputKind>(['choices', 'object', 'objects', 'file']);
