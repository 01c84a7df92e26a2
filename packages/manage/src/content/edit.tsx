import { BadRequestError, ChangedError } from '@canopy-server/client';
import { type FormEvent, useEffect, useMemo, useState } from 'react';
import { useDraft } from '../form/draft.ts';
import { Overtaken } from '../form/overtaken.tsx';
import { type FormSchema, formValues } from '../form/schema.ts';
import { SchemaForm } from '../form/schema-form.tsx';
import { useAction, useData } from '../lib/data.ts';
import { go, guardLeaving, linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { pathOf } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice, Notice, Ready } from '../parts/notice.tsx';
import { saveForm } from './form-data.ts';
import { placeOf, type SiteObject } from './object.ts';

/** Asks before a form is left that is not saved. */
function useGuard(isChanged: boolean): void {
  useEffect(() => {
    guardLeaving(
      isChanged ? () => confirm(say('There are changes that are not saved. Leave all the same?')) : undefined,
    );
    return () => guardLeaving(undefined);
  }, [isChanged]);
}

/** The fields of an object as a form. */
export function EditForm({ object, onSaved }: { object: SiteObject; onSaved: () => void }) {
  const type = String(object.content['@type']);
  const schema = useData(`schema ${object.path} ${type}`, (signal) =>
    placeOf(object.path).request<FormSchema>('GET', `@types/${encodeURIComponent(type)}`, { signal }),
  );
  return <Ready of={schema}>{(data) => <LoadedForm object={object} schema={data} onSaved={onSaved} />}</Ready>;
}

function LoadedForm({ object, schema, onSaved }: { object: SiteObject; schema: FormSchema; onSaved: () => void }) {
  const draft = useDraft(useMemo(() => formValues(schema, object.content), [schema, object.content]));
  const { base, values, changed } = draft;
  const [isSaved, setSaved] = useState(false);
  const action = useAction();
  useGuard(changed.length > 0);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    let address: string | undefined;
    const done = await action.run(async () => {
      address = await saveForm(object.path, schema, base, values);
    });
    setSaved(done);
    if (!done) return;
    draft.settle(values);
    guardLeaving(undefined);
    const path = address === undefined ? object.path : pathOf(address);
    if (path === object.path) onSaved();
    else go(linkTo('content', { path, tab: 'edit' }), { replace: true });
  };
  /** Loads what others have stored; what was typed stays above it. */
  const reload = (): void => {
    action.clear();
    onSaved();
  };
  const { lock } = object.content;
  const isLocked = typeof lock === 'object' && lock !== null && 'locked' in lock && lock.locked === true;
  const problems = action.error instanceof BadRequestError ? action.error.problems : [];
  return (
    <form onSubmit={save} noValidate>
      {isLocked && <Notice kind="info">{say('Somebody is editing this at the moment.')}</Notice>}
      <SchemaForm schema={schema} values={values} onChange={draft.change} problems={problems} />
      <div className="form-end sticky">
        <Overtaken schema={schema} names={draft.overtaken} />
        {isSaved && changed.length === 0 && <Notice kind="good">{say('Saved.')}</Notice>}
        <ErrorNotice error={action.error} known={Object.keys(schema.properties)} />
        {action.error instanceof ChangedError && <Button onPress={reload}>{say('Load it again')}</Button>}
        <Button type="submit" kind="primary" isDisabled={action.isBusy || changed.length === 0}>
          {say('Save')}
        </Button>
        {changed.length > 0 && (
          <>
            <Button kind="quiet" onPress={draft.discard}>
              {say('Discard the changes')}
            </Button>
            <span className="soft">{say('Changed fields: {total}', { total: changed.length })}</span>
          </>
        )}
      </div>
    </form>
  );
}
