import { useState } from 'react';
import { ServiceForm } from '../form/form-page.tsx';
import type { FormSchema } from '../form/schema.ts';
import { useAction, useData } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import { go, linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Above } from '../parts/above.tsx';
import { Button } from '../parts/button.tsx';
import { Entries, NewButton } from '../parts/entries.tsx';
import { Link } from '../parts/link.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { ErrorNotice, Notice, Ready } from '../parts/notice.tsx';
import { Badge, Page, Panel } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';

type Webhook = {
  id: string;
  title: string;
  url: string;
  enabled: boolean;
  waiting: number;
  failing_since: string | null;
  paused: unknown;
  secret?: string;
};
type Attempt = {
  id?: string | number;
  time: string;
  type?: string;
  status: number | null;
  problem: string | null;
  delivered?: boolean;
};

const schemaOf = (): FormSchema => ({
  required: ['title', 'url'],
  fieldsets: [
    {
      id: 'webhook',
      title: say('Webhook'),
      fields: ['title', 'url', 'enabled', 'audience', 'events', 'types', 'languages', 'path'],
    },
  ],
  properties: {
    title: { title: say('Title'), type: 'string', default: '' },
    url: { title: say('Address'), type: 'string', default: '' },
    enabled: { title: say('Sends'), type: 'boolean', default: true },
    audience: {
      title: say('Of what'),
      type: 'string',
      default: 'visitors',
      choices: [
        ['visitors', say('What visitors see')],
        ['everything', say('Everything')],
      ],
    },
    events: {
      title: say('Events'),
      description: say('All of them when empty.'),
      type: 'array',
      items: { type: 'string' },
      default: [],
    },
    types: {
      title: say('Types'),
      description: say('All of them when empty.'),
      type: 'array',
      items: { type: 'string' },
      default: [],
    },
    languages: {
      title: say('Languages'),
      description: say('All of them when empty.'),
      type: 'array',
      items: { type: 'string' },
      default: [],
    },
    path: { title: say('Path'), description: say('Only of what is there and below.'), type: 'string' },
  },
});

/** How a webhook is, in a word. */
const Condition = ({ webhook }: { webhook: Webhook }) => {
  if (!webhook.enabled) return <Badge>{say('Switched off')}</Badge>;
  if (webhook.paused) return <Badge kind="bad">{say('Paused')}</Badge>;
  return webhook.failing_since ? <Badge kind="bad">{say('Fails')}</Badge> : <Badge kind="good">{say('Sends')}</Badge>;
};

const WebhookList = () => (
  <Page
    title={say('Webhooks')}
    lead={say('Changes that are sent to other systems.')}
    actions={<NewButton view="webhooks" title={say('New webhook')} />}
  >
    <ServiceTable<Webhook>
      service="@webhooks"
      caption={say('Webhooks')}
      isWhole
      columns={[
        {
          id: 'title',
          title: say('Title'),
          cell: ({ id, title }) => (
            <Link to={linkTo(['webhooks', id])} className="name">
              {title}
            </Link>
          ),
        },
        { id: 'url', title: say('Address'), cell: ({ url }) => <span className="path">{url}</span> },
        { id: 'state', title: say('State'), cell: (webhook) => <Condition webhook={webhook} /> },
        { id: 'waiting', title: say('Waiting'), cell: ({ waiting }) => waiting },
      ]}
      keyOf={({ id }) => id}
      empty={say('There is nothing here yet.')}
    />
  </Page>
);

function NewWebhook() {
  const [made, setMade] = useState<Webhook>();
  return (
    <Page title={say('New webhook')} above={<Above view="webhooks" title={say('Webhooks')} />}>
      {made?.secret === undefined ? (
        <ServiceForm
          schema={schemaOf()}
          stored={undefined}
          button={say('Create')}
          save={async (body) => setMade(await ask<Webhook>('POST', '@webhooks', { body }))}
        />
      ) : (
        <Notice kind="good">
          <p>{say('This secret verifies what is sent. It is shown this once:')}</p>
          <p>
            <code>{made.secret}</code>
          </p>
          <p>
            <Link to={linkTo(['webhooks', made.id])}>{made.title}</Link>
          </p>
        </Notice>
      )}
    </Page>
  );
}

/** Sends a message now and says what came back. */
function Test({ id, onDone }: { id: string; onDone: () => void }) {
  const [outcome, setOutcome] = useState<{ delivered: boolean; status: number | null; problem: string | null }>();
  const action = useAction();
  const test = (): Promise<boolean> =>
    action.run(async () => {
      setOutcome(await ask('POST', `@webhooks/${id}/test`, { body: {} }));
      onDone();
    });
  return (
    <>
      <Button isDisabled={action.isBusy} onPress={() => void test()}>
        {say('Send a test')}
      </Button>
      <ErrorNotice error={action.error} />
      {outcome && (
        <Notice kind={outcome.delivered ? 'good' : 'bad'}>
          {outcome.delivered ? say('It has arrived.') : (outcome.problem ?? say('It has not arrived.'))}{' '}
          {outcome.status ?? ''}
        </Notice>
      )}
    </>
  );
}

/** Has everything sent once more since a moment. */
function Replay({ service, onDone }: { service: string; onDone: () => void }) {
  return (
    <Panel title={say('Send again')}>
      <ServiceForm
        schema={{
          required: ['from'],
          fieldsets: [{ id: 'replay', title: say('Send again'), fields: ['from'] }],
          properties: {
            from: {
              title: say('Everything since'),
              description: say('What was sent before has the same ids.'),
              type: 'string',
              factory: 'Date/Time',
            },
          },
        }}
        stored={undefined}
        button={say('Send again')}
        save={async (body) => {
          await ask('POST', `${service}/replay`, { body });
          onDone();
        }}
      />
    </Panel>
  );
}

function WebhookPage({ id }: { id: string }) {
  const [version, setVersion] = useState(0);
  const service = `@webhooks/${encodeURIComponent(id)}`;
  const webhook = useData(`webhook ${id}`, (signal) => ask<Webhook>('GET', service, { signal }));
  return (
    <Page
      title={webhook.data?.title ?? id}
      lead={webhook.data && <Condition webhook={webhook.data} />}
      above={<Above view="webhooks" title={say('Webhooks')} />}
      actions={
        <>
          <Test id={id} onDone={() => setVersion(version + 1)} />
          <RemoveButton
            name={webhook.data?.title ?? id}
            remove={() => ask('DELETE', service)}
            onRemoved={() => go(linkTo('webhooks'))}
          >
            {say('What waits for it is not sent.')}
          </RemoveButton>
        </>
      }
    >
      <Ready of={webhook}>
        {(data) => (
          <ServiceForm
            schema={schemaOf()}
            stored={data}
            save={(body) => ask('PATCH', service, { body })}
            onSaved={webhook.reload}
          />
        )}
      </Ready>
      <Replay service={service} onDone={webhook.reload} />
      <Panel title={say('The last attempts')}>
        <ServiceTable<Attempt>
          service={`${service}/attempts`}
          caption={say('The last attempts')}
          version={version}
          columns={[
            { id: 'time', title: say('Time'), cell: ({ time }) => dateTime(time) },
            {
              id: 'status',
              title: say('State'),
              cell: ({ status, problem }) => [status, problem].filter((part) => part !== null).join(' '),
            },
          ]}
          keyOf={({ time, id: attempt }) => `${time} ${attempt}`}
          empty={say('Nothing was sent yet.')}
        />
      </Panel>
    </Page>
  );
}

export default function WebhooksPage() {
  return <Entries List={WebhookList} Entry={WebhookPage} New={NewWebhook} />;
}
