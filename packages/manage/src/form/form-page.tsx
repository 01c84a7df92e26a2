import { BadRequestError } from '@canopy-server/client';
import { type FormEvent, useMemo, useState } from 'react';
import { useAction } from '../lib/data.ts';
import { say } from '../lib/say.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice, Notice } from '../parts/notice.tsx';
import { useDraft } from './draft.ts';
import { Overtaken } from './overtaken.tsx';
import { type FormSchema, formValues, sendable, type Values } from './schema.ts';
import { SchemaForm } from './schema-form.tsx';

type FormProps = {
  schema: FormSchema;
  /** The values that the site has; none for something new. */
  stored: Values | undefined;
  /** Gets the changed fields as the site takes them. */
  save: (changes: Record<string, unknown>) => Promise<void>;
  onSaved?: () => void;
  button?: string;
};

/** A form with a button: it sends what was changed, and shows what the site has against it. */
export function ServiceForm({ schema, stored, save, onSaved, button }: FormProps) {
  const draft = useDraft(useMemo(() => formValues(schema, stored), [schema, stored]));
  const { values, changed } = draft;
  const [isSaved, setSaved] = useState(false);
  const action = useAction();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const changes = Object.fromEntries(
      changed.map((name) => [name, sendable(schema.properties[name] ?? {}, values[name])]),
    );
    const done = await action.run(() => save(changes));
    setSaved(done);
    if (!done) return;
    if (stored !== undefined) draft.settle(values);
    onSaved?.();
  };
  const problems = action.error instanceof BadRequestError ? action.error.problems : [];
  return (
    <form onSubmit={submit} noValidate>
      <SchemaForm schema={schema} values={values} onChange={draft.change} problems={problems} />
      <div className="form-end">
        <Overtaken schema={schema} names={draft.overtaken} />
        {isSaved && changed.length === 0 && <Notice kind="good">{say('Saved.')}</Notice>}
        <ErrorNotice error={action.error} known={Object.keys(schema.properties)} />
        <Button
          type="submit"
          kind="primary"
          isDisabled={action.isBusy || (stored !== undefined && changed.length === 0)}
        >
          {button ?? say('Save')}
        </Button>
      </div>
    </form>
  );
}
