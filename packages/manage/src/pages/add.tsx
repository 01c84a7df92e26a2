import { BadRequestError } from '@canopy-server/client';
import { type FormEvent, useMemo, useState } from 'react';
import { changesOf, filesInBody } from '../content/form-data.ts';
import { placeOf } from '../content/object.ts';
import { type FormSchema, formValues } from '../form/schema.ts';
import { SchemaForm } from '../form/schema-form.tsx';
import { useAction, useData } from '../lib/data.ts';
import { go, linkTo, route } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { pathOf } from '../lib/site.ts';
import { useStore } from '../lib/store.ts';
import { Button } from '../parts/button.tsx';
import { Link } from '../parts/link.tsx';
import { ErrorNotice, Ready } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';

function AddForm({ path, type, schema }: { path: string; type: string; schema: FormSchema }) {
  const before = useMemo(() => formValues(schema, undefined), [schema]);
  const [values, setValues] = useState(before);
  const action = useAction();
  const create = (event: FormEvent): void => {
    event.preventDefault();
    void action.run(async () => {
      const data = { ...changesOf(schema, before, values), ...(await filesInBody(values)) };
      const created = await placeOf(path).create({ ...data, '@type': type });
      go(linkTo('content', { path: pathOf(created['@id']), tab: 'edit' }));
    });
  };
  const problems = action.error instanceof BadRequestError ? action.error.problems : [];
  return (
    <form onSubmit={create} noValidate>
      <SchemaForm schema={schema} values={values} onChange={setValues} problems={problems} />
      <div className="form-end sticky">
        <ErrorNotice error={action.error} known={Object.keys(schema.properties)} />
        <Button type="submit" kind="primary" isDisabled={action.isBusy}>
          {say('Create')}
        </Button>
        <Link to={linkTo('content', { path })}>{say('Cancel')}</Link>
      </div>
    </form>
  );
}

/** The form for a new object. */
export default function AddPage() {
  const { query } = useStore(route);
  const [path, type] = [query.get('path') ?? '/', query.get('type') ?? ''];
  const schema = useData(`add ${path} ${type}`, (signal) =>
    placeOf(path).request<FormSchema>('GET', `@types/${encodeURIComponent(type)}`, { signal }),
  );
  return (
    <Page title={say('Add: {type}', { type: schema.data?.title ?? type })} lead={<span className="path">{path}</span>}>
      <Ready of={schema}>{(data) => <AddForm key={`${path} ${type}`} {...{ path, type, schema: data }} />}</Ready>
    </Page>
  );
}
