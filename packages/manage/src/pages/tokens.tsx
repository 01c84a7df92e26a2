import { useState } from 'react';
import { ServiceForm } from '../form/form-page.tsx';
import type { FormSchema } from '../form/schema.ts';
import { useAction } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { ErrorNotice, Notice } from '../parts/notice.tsx';
import { Page, Panel } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';

type Token = {
  id: string;
  name: string;
  methods: string[] | null;
  subtrees: ({ '@id': string } | string)[] | null;
  created: string;
  expires: string | null;
  last_used: string | null;
};

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

const schemaOf = (): FormSchema => ({
  required: ['name'],
  fieldsets: [{ id: 'token', title: say('New token'), fields: ['name', 'methods', 'subtrees', 'expires'] }],
  properties: {
    name: { title: say('What it is for'), type: 'string' },
    methods: {
      title: say('Only these methods'),
      description: say('All of them when empty.'),
      type: 'array',
      items: { type: 'string', choices: METHODS.map((name) => [name, name] as const) },
    },
    subtrees: {
      title: say('Only below these paths'),
      description: say('The whole site when empty.'),
      type: 'array',
      items: { type: 'string' },
    },
    expires: { title: say('Good until'), type: 'string', factory: 'Date/Time' },
  },
});

const placesOf = ({ subtrees }: Token): string =>
  subtrees?.map((one) => (typeof one === 'string' ? one : one['@id'])).join(', ') ?? say('The whole site');

/** Tokens with which programs work in the name of the user. */
export default function TokensPage() {
  const [version, setVersion] = useState(0);
  const [secret, setSecret] = useState<string>();
  const action = useAction();
  const remove = async ({ id }: Token): Promise<void> => {
    if (await action.run(() => ask('DELETE', `@access-tokens/${id}`))) setVersion(version + 1);
  };
  const columns: Column<Token>[] = [
    { id: 'name', title: say('What it is for'), cell: ({ name }) => <strong>{name}</strong> },
    { id: 'methods', title: say('Methods'), cell: ({ methods }) => methods?.join(', ') ?? say('All of them') },
    { id: 'places', title: say('Where'), cell: placesOf },
    { id: 'expires', title: say('Good until'), cell: ({ expires }) => dateTime(expires) },
    { id: 'used', title: say('Last used'), cell: ({ last_used: used }) => dateTime(used) },
    {
      id: 'do',
      title: '',
      cell: (token) => (
        <Button
          kind="quiet"
          isDisabled={action.isBusy}
          onPress={() => void remove(token)}
          label={say('Revoke: {name}', { name: token.name })}
        >
          {say('Revoke')}
        </Button>
      ),
    },
  ];
  return (
    <Page
      title={say('Access tokens')}
      lead={say('Programs work with them in your name, with no more rights than you have.')}
    >
      <ErrorNotice error={action.error} />
      <ServiceTable<Token>
        {...{ service: '@access-tokens', caption: say('Access tokens'), columns, version, isWhole: true }}
        keyOf={({ id }) => id}
        empty={say('There is nothing here yet.')}
      />
      <Panel title={say('New token')}>
        {secret !== undefined && (
          <Notice kind="good">
            <p>{say('This is the token. It is shown this once:')}</p>
            <p>
              <code>{secret}</code>
            </p>
          </Notice>
        )}
        <ServiceForm
          key={version}
          schema={schemaOf()}
          stored={undefined}
          button={say('Create')}
          save={async ({ methods, subtrees, ...changes }) => {
            const body = {
              ...changes,
              ...(Array.isArray(methods) && methods.length > 0 ? { methods } : {}),
              ...(Array.isArray(subtrees) && subtrees.length > 0 ? { subtrees } : {}),
            };
            const { token } = await ask<{ token: string }>('POST', '@access-tokens', { body });
            setSecret(token);
            setVersion(version + 1);
          }}
        />
      </Panel>
    </Page>
  );
}
