import type { FieldProblem } from '@canopy-server/client';
import { Suspense } from 'react';
import { say } from '../lib/say.ts';
import { Field } from './field.tsx';
import { GROUPS, INPUTS } from './inputs.tsx';
import { type FormSchema, isShown, kindOf, type Values } from './schema.ts';

type SchemaFormProps = {
  schema: FormSchema;
  values: Values;
  onChange: (values: Values) => void;
  problems?: readonly FieldProblem[];
  /** Fields that the form does not show. */
  without?: ReadonlySet<string>;
};

/** The sentence for what is wrong with a field. */
const problemOf = (problems: readonly FieldProblem[], name: string): string | undefined =>
  problems.find(({ field }) => field === name || field?.startsWith(`${name}.`))?.message;

/** A form made of a schema: a part for each fieldset, an input for each field by its kind. */
export function SchemaForm({ schema, values, onChange, problems = [], without }: SchemaFormProps) {
  const sets = schema.fieldsets
    .map((set) => ({
      ...set,
      names: set.fields.filter((name) => isShown(schema.properties[name]) && !without?.has(name)),
    }))
    .filter(({ names }) => names.length > 0);
  return (
    <div className="form">
      {sets.map(({ id, title, names }, index) => {
        const hasProblem = names.some((name) => problemOf(problems, name) !== undefined);
        const fields = names.map((name) => (
          <SchemaField
            key={name}
            name={name}
            schema={schema}
            value={values[name]}
            onChange={(value) => onChange({ ...values, [name]: value })}
            problem={problemOf(problems, name)}
          />
        ));
        if (sets.length === 1) return <div key={id}>{fields}</div>;
        return (
          <details key={id} className="fieldset" open={index === 0 || hasProblem || undefined}>
            <summary>
              <h2>{title}</h2>
              <span className="soft">{say('Fields: {total}', { total: names.length })}</span>
            </summary>
            {fields}
          </details>
        );
      })}
    </div>
  );
}

type SchemaFieldProps = {
  name: string;
  schema: FormSchema;
  value: unknown;
  onChange: (value: unknown) => void;
  problem: string | undefined;
};

function SchemaField({ name, schema, value, onChange, problem }: SchemaFieldProps) {
  const field = schema.properties[name] ?? {};
  const kind = kindOf(field);
  const Input = INPUTS[kind];
  const id = `field-${name}`;
  const isRequired = schema.required.includes(name);
  const title = field.title || name;
  return (
    <Field
      id={id}
      title={title}
      help={field.description}
      problem={problem}
      isRequired={isRequired}
      isGroup={GROUPS.has(kind)}
      isToggle={kind === 'yes-no'}
    >
      <Suspense fallback={null}>
        <Input {...{ id, field, value, onChange, problem, isRequired }} help={field.description} />
      </Suspense>
    </Field>
  );
}
