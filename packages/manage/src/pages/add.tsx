import { BadRequestError } from '@canopy-server/client';
import { type FormEvent, useMemo, useState } from 'react';
import { changesOf, filesInBody } from '../content/form-data.ts';
import { placeOf } from '../content/object.ts';
import { type FormSchema, formValues, kindOf, sendable, type Values } from '../form/schema.ts';
import { SchemaForm } from '../form/schema-form.tsx';
import { useAction, useData } from '../lib/data.ts';
import { languageTitle } from '../lib/format.ts';
import { go, linkTo, route } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { pathOf } from '../lib/site.ts';
import { useStore } from '../lib/store.ts';
import { Button } from '../parts/button.tsx';
import { Link } from '../parts/link.tsx';
import { ErrorNotice, Notice, Ready } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';

/** The content that the new object translates, and the language of the new one. */
type Original = { path: string; language: string; content: Values };

/** The fields that a translation has from its original, which the site sets. A file that is needed has to be chosen all the same. */
function sharedFields({ properties, required }: FormSchema): readonly string[] {
  return Object.keys(properties).filter((name) => {
    const options = properties[name]?.multilingual_options;
    const isShared =
      typeof options === 'object' &&
      options !== null &&
      'language_independent' in options &&
      options.language_independent === true;
    return isShared && !(required.includes(name) && kindOf(properties[name] ?? {}) === 'file');
  });
}

/** The beginning of a translation: its language, its original, and the values that the site asks for although it sets them. */
function beginning(schema: FormSchema, { path, language, content }: Original): Record<string, unknown> {
  const values = formValues(schema, content);
  const needed = sharedFields(schema).filter((name) => schema.required.includes(name));
  return {
    ...Object.fromEntries(needed.map((name) => [name, sendable(schema.properties[name] ?? {}, values[name])])),
    ...{ language, translation_of: path },
  };
}

type FormProps = { path: string; type: string; schema: FormSchema; original: Original | undefined };

function AddForm({ path, type, schema, original }: FormProps) {
  const before = useMemo(() => formValues(schema, undefined), [schema]);
  const [values, setValues] = useState(before);
  const action = useAction();
  const shared = original ? sharedFields(schema) : [];
  const create = (event: FormEvent): void => {
    event.preventDefault();
    void action.run(async () => {
      const data = { ...changesOf(schema, before, values), ...(await filesInBody(values)) };
      const begun = original ? beginning(schema, original) : {};
      const created = await placeOf(path).create({ ...data, ...begun, '@type': type });
      go(linkTo('content', { path: pathOf(created['@id']), tab: 'edit' }));
    });
  };
  const problems = action.error instanceof BadRequestError ? action.error.problems : [];
  const without = new Set([...shared, ...(original ? ['language'] : [])]);
  return (
    <form onSubmit={create} noValidate>
      {shared.length > 0 && (
        <Notice kind="info">
          {say('All translations have the same: {fields}', {
            fields: shared.map((name) => schema.properties[name]?.title || name).join(', '),
          })}
        </Notice>
      )}
      <SchemaForm schema={schema} values={values} onChange={setValues} problems={problems} without={without} />
      <div className="form-end sticky">
        <ErrorNotice error={action.error} known={Object.keys(schema.properties).filter((name) => !without.has(name))} />
        <Button type="submit" kind="primary" isDisabled={action.isBusy}>
          {say('Create')}
        </Button>
        <Link to={linkTo('content', { path: original?.path ?? path })}>{say('Cancel')}</Link>
      </div>
    </form>
  );
}

/** The form for a new object, also for one that translates another (`of`). */
export default function AddPage() {
  const { query } = useStore(route);
  const [path, type] = [query.get('path') ?? '/', query.get('type') ?? ''];
  const [of, language] = [query.get('of'), query.get('language')];
  const key = `${path} ${type} ${of ?? ''}`;
  const data = useData(`add ${key}`, async (signal) => {
    const [schema, content] = await Promise.all([
      placeOf(path).request<FormSchema>('GET', `@types/${encodeURIComponent(type)}`, { signal }),
      of === null ? undefined : placeOf(of).get({ items: false, signal }),
    ]);
    return { schema, original: of && language && content ? { path: of, language, content } : undefined };
  });
  const { schema, original } = data.data ?? {};
  return (
    <Page
      title={say('Add: {type}', { type: schema?.title ?? type })}
      lead={
        <>
          <span className="path">{path}</span>{' '}
          {original &&
            say('Translation of “{title}” into this language: {language}', {
              title: String(original.content.title),
              language: languageTitle(original.language),
            })}
        </>
      }
    >
      <Ready of={data}>{(loaded) => <AddForm key={key} {...{ path, type, ...loaded }} />}</Ready>
    </Page>
  );
}
