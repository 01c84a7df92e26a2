import { useState } from 'react';
import { ServiceForm } from '../form/form-page.tsx';
import type { FormSchema, Values } from '../form/schema.ts';
import { useData } from '../lib/data.ts';
import { go, linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Above } from '../parts/above.tsx';
import { Entries, NewButton } from '../parts/entries.tsx';
import { Link } from '../parts/link.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { Ready } from '../parts/notice.tsx';
import { Badge, Page, Panel } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { type Column, Table } from '../parts/table.tsx';

type TypeEntry = { id: string; title: string; description: string; count: number };
type TypePanel = { title: string; description: string; schema: FormSchema; data: Values };
type Term = { token: string; title: string };
type TypeField = { name: string; title: string; factory: string; isOwn: boolean; isRequired: boolean };

const PANEL = '@controlpanels/dexterity-types';
/** The fields of a type that no behavior brings have this with its name behind. */
const OWN_FIELDS = 'plone.dexterity.schema.generated.';

const TypeList = () => (
  <Page title={say('Types')} actions={<NewButton view="types" title={say('New type')} />}>
    <ServiceTable<TypeEntry>
      service={PANEL}
      isWhole
      caption={say('Types')}
      columns={[
        {
          id: 'title',
          title: say('Title'),
          cell: ({ id, title }) => (
            <Link to={linkTo(['types', id])} className="name">
              {title}
            </Link>
          ),
        },
        { id: 'description', title: say('Description'), cell: ({ description }) => description },
        { id: 'count', title: say('Objects'), cell: ({ count }) => count },
      ]}
      keyOf={({ id }) => id}
    />
  </Page>
);

const NewType = () => (
  <Page title={say('New type')} above={<Above view="types" title={say('Types')} />}>
    <ServiceForm
      schema={{
        required: ['title'],
        fieldsets: [{ id: 'type', title: say('Type'), fields: ['title', 'description'] }],
        properties: {
          title: { title: say('Title'), type: 'string' },
          description: { title: say('Description'), type: 'string', factory: 'Text', default: '' },
        },
      }}
      stored={undefined}
      button={say('Create')}
      save={async (body) => {
        const made = await ask<{ '@id': string }>('POST', PANEL, { body });
        go(linkTo(['types', decodeURIComponent(made['@id'].slice(made['@id'].lastIndexOf('/') + 1))]));
      }}
    />
  </Page>
);

/** The fields of a type, in the order of its form. */
const fieldsOf = ({ properties, required, fieldsets }: FormSchema): TypeField[] =>
  fieldsets
    .flatMap(({ fields }) => fields)
    .map((name) => ({
      name,
      title: properties[name]?.title || name,
      factory: properties[name]?.factory ?? '',
      isOwn: properties[name]?.behavior?.startsWith(OWN_FIELDS) ?? false,
      isRequired: required.includes(name),
    }));

function FieldForm({ type, field, onDone }: { type: string; field: TypeField; onDone: () => void }) {
  const service = `@types/${encodeURIComponent(type)}/${encodeURIComponent(field.name)}`;
  const stored = useData(service, (signal) => ask<Values>('GET', service, { signal }));
  return (
    <Panel title={field.title}>
      <Ready of={stored}>
        {(data) => (
          <ServiceForm
            schema={{
              required: ['title'],
              fieldsets: [{ id: 'field', title: say('Field'), fields: ['title', 'description', 'required'] }],
              properties: {
                title: { title: say('Title'), type: 'string' },
                description: { title: say('Help'), type: 'string', factory: 'Text', default: '' },
                required: { title: say('A value is needed'), type: 'boolean' },
              },
            }}
            stored={{ ...data, required: field.isRequired }}
            save={(body) => ask('PATCH', service, { body })}
            onSaved={onDone}
          />
        )}
      </Ready>
    </Panel>
  );
}

function Fields({ type }: { type: string }) {
  const service = `@types/${encodeURIComponent(type)}`;
  const [open, setOpen] = useState<TypeField>();
  const parts = useData(service, async (signal) => {
    const [schema, kinds] = await Promise.all([
      ask<FormSchema>('GET', service, { signal }),
      ask<{ items: Term[] }>('GET', '@vocabularies/Fields', { signal, query: { b_size: 100 } }),
    ]);
    return { schema, kinds: kinds.items };
  });
  const columns: Column<TypeField>[] = [
    {
      id: 'title',
      title: say('Title'),
      cell: (field) => (
        <>
          <strong>{field.title}</strong> <span className="path">{field.name}</span>{' '}
          {field.isRequired && <Badge>{say('A value is needed')}</Badge>}
        </>
      ),
    },
    { id: 'kind', title: say('Kind'), cell: ({ factory }) => factory },
    {
      id: 'do',
      title: '',
      cell: (field) =>
        field.isOwn && (
          <div className="actions">
            <button
              type="button"
              className="button quiet"
              aria-label={say('Change {name}', { name: field.title })}
              onClick={() => setOpen(field)}
            >
              {say('Change')}
            </button>
            <RemoveButton
              name={field.title}
              isQuiet
              remove={() => ask('DELETE', `${service}/${encodeURIComponent(field.name)}`)}
              onRemoved={() => {
                setOpen(undefined);
                parts.reload();
              }}
            >
              {say('Values of the field stay in content.')}
            </RemoveButton>
          </div>
        ),
    },
  ];
  return (
    <>
      <Panel title={say('Fields')}>
        <Ready of={parts}>
          {({ schema }) => (
            <Table<TypeField>
              caption={say('Fields')}
              columns={columns}
              rows={fieldsOf(schema)}
              keyOf={({ name }) => name}
            />
          )}
        </Ready>
        <p className="soft">{say('Fields without buttons come from behaviors of the type.')}</p>
      </Panel>
      {open && <FieldForm key={open.name} type={type} field={open} onDone={parts.reload} />}
      <Panel title={say('New field')}>
        <Ready of={parts}>
          {({ kinds, schema }) => (
            <ServiceForm
              key={Object.keys(schema.properties).length}
              schema={{
                required: ['title', 'factory'],
                fieldsets: [
                  { id: 'new-field', title: '', fields: ['field-title', 'factory', 'field-help', 'required'] },
                ],
                properties: {
                  'field-title': { title: say('Title'), type: 'string' },
                  factory: {
                    title: say('Kind'),
                    type: 'string',
                    choices: [...new Map(kinds.map(({ token, title }) => [title, token]))].map(
                      ([title, token]) => [token, title] as const,
                    ),
                  },
                  'field-help': { title: say('Help'), type: 'string', factory: 'Text', default: '' },
                  required: { title: say('A value is needed'), type: 'boolean', default: false },
                },
              }}
              stored={undefined}
              button={say('Add')}
              save={async ({ 'field-title': title, 'field-help': description, ...body }) => {
                await ask('POST', service, { body: { ...body, title, ...(description ? { description } : {}) } });
                parts.reload();
              }}
            />
          )}
        </Ready>
      </Panel>
    </>
  );
}

function TypePage({ id }: { id: string }) {
  const service = `${PANEL}/${encodeURIComponent(id)}`;
  const panel = useData(`type ${id}`, (signal) => ask<TypePanel>('GET', service, { signal }));
  return (
    <Page
      title={panel.data?.title ?? id}
      lead={panel.data?.description}
      above={<Above view="types" title={say('Types')} />}
      actions={
        <RemoveButton
          name={panel.data?.title ?? id}
          remove={() => ask('DELETE', service)}
          onRemoved={() => go(linkTo('types'))}
        >
          {say('A type goes only when there is no content of it.')}
        </RemoveButton>
      }
    >
      <Fields type={id} />
      <Ready of={panel}>
        {({ schema, data }) => (
          <ServiceForm
            schema={schema}
            stored={data}
            save={(body) => ask('PATCH', service, { body })}
            onSaved={panel.reload}
          />
        )}
      </Ready>
    </Page>
  );
}

/** Content types with their fields and behaviors. */
export default function TypesPage() {
  return <Entries List={TypeList} Entry={TypePage} New={NewType} />;
}
