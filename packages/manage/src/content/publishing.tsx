import { useState } from 'react';
import { ServiceForm } from '../form/form-page.tsx';
import { useAction, useData } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import { message, say } from '../lib/say.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice, Notice, Ready } from '../parts/notice.tsx';
import { Badge, Panel } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { placeOf, type SiteObject } from './object.ts';

type Scheduled = {
  id: string;
  title: string;
  transition: string;
  at: string;
  actor: string | null;
  status: string;
  reason: string | null;
};
type PreviewLink = {
  id: string;
  title: string;
  subtree: boolean;
  creator: string | null;
  expires: string;
  last_used: string | null;
};
type PartProps = { object: SiteObject };

const STATES: Readonly<Record<string, string>> = {
  waiting: message('Waits'),
  done: message('Done'),
  refused: message('Refused'),
};

/** From when to when visitors see the object. */
const Dates = ({ object, reload }: PartProps & { reload: () => void }) => (
  <Panel title={say('Dates')}>
    <ServiceForm
      schema={{
        required: [],
        fieldsets: [{ id: 'dates', title: '', fields: ['effective', 'expires'] }],
        properties: {
          effective: { title: say('Visible from'), type: 'string', factory: 'Date/Time' },
          expires: { title: say('Visible until'), type: 'string', factory: 'Date/Time' },
        },
      }}
      stored={object.content}
      save={(body) => placeOf(object.path).request('PATCH', '', { body })}
      onSaved={reload}
    />
  </Panel>
);

/** Transitions that are made at a time. */
function AtTime({ object }: PartProps) {
  const place = placeOf(object.path);
  const action = useAction();
  const list = useData(`scheduled ${object.path}`, (signal) =>
    place.request<{ items: Scheduled[] }>('GET', '@scheduled-transitions', { signal }),
  );
  const remove = async ({ id }: Scheduled): Promise<void> => {
    if (await action.run(() => place.request('DELETE', `@scheduled-transitions/${encodeURIComponent(id)}`)))
      list.reload();
  };
  const choices = object.transitions.map(({ '@id': address, title }) => {
    const id = decodeURIComponent(address.slice(address.lastIndexOf('/') + 1));
    return [id, title] as const;
  });
  return (
    <Panel title={say('Transitions at a time')}>
      <ErrorNotice error={action.error} />
      <Ready of={list}>
        {({ items }) => (
          <Table<Scheduled>
            caption={say('Transitions at a time')}
            columns={[
              { id: 'at', title: say('When'), cell: ({ at }) => dateTime(at) },
              { id: 'title', title: say('Transition'), cell: ({ title, transition }) => title || transition },
              { id: 'who', title: say('User'), cell: ({ actor }) => actor },
              {
                id: 'status',
                title: say('State'),
                cell: ({ status, reason }) => (
                  <>
                    <Badge>{say(STATES[status] ?? status)}</Badge> {reason}
                  </>
                ),
              },
              {
                id: 'do',
                title: '',
                cell: (one) => (
                  <Button
                    kind="quiet"
                    label={say('Remove {name}', { name: one.title || one.transition })}
                    isDisabled={action.isBusy}
                    onPress={() => void remove(one)}
                  >
                    {say('Remove')}
                  </Button>
                ),
              },
            ]}
            rows={items}
            keyOf={({ id }) => id}
            empty={say('Nothing waits.')}
          />
        )}
      </Ready>
      {choices.length > 0 && (
        <ServiceForm
          key={list.data?.items.length}
          schema={{
            required: ['transition', 'at'],
            fieldsets: [{ id: 'transition', title: '', fields: ['transition', 'at', 'comment'] }],
            properties: {
              transition: { title: say('Transition'), type: 'string', choices },
              at: { title: say('When'), type: 'string', factory: 'Date/Time' },
              comment: { title: say('Comment'), type: 'string', default: '' },
            },
          }}
          stored={undefined}
          button={say('Plan it')}
          save={(body) => place.request('POST', '@scheduled-transitions', { body })}
          onSaved={list.reload}
        />
      )}
    </Panel>
  );
}

/** Links that show the object to people without an account. */
function PreviewLinks({ object }: PartProps) {
  const place = placeOf(object.path);
  const [made, setMade] = useState<string>();
  const action = useAction();
  const list = useData(`preview links ${object.path}`, (signal) =>
    place.request<{ items: PreviewLink[] }>('GET', '@preview-links', { signal }),
  );
  const revoke = async ({ id }: PreviewLink): Promise<void> => {
    if (await action.run(() => place.request('DELETE', `@preview-links/${encodeURIComponent(id)}`))) list.reload();
  };
  return (
    <Panel title={say('Preview links')}>
      <p>{say('A link shows this to people without an account, as far as you may see it.')}</p>
      <ErrorNotice error={action.error} />
      {made !== undefined && (
        <Notice kind="good">
          <p>{say('This is the link. It is shown this once:')}</p>
          <p>
            <code>{made}</code>
          </p>
        </Notice>
      )}
      <Ready of={list}>
        {({ items }) => (
          <Table<PreviewLink>
            caption={say('Preview links')}
            columns={[
              { id: 'title', title: say('What it is for'), cell: ({ title }) => title },
              {
                id: 'what',
                title: say('Where'),
                cell: ({ subtree }) => (subtree ? say('Everything below') : say('This alone')),
              },
              { id: 'who', title: say('User'), cell: ({ creator }) => creator },
              { id: 'until', title: say('Good until'), cell: ({ expires }) => dateTime(expires) },
              { id: 'used', title: say('Last used'), cell: ({ last_used: used }) => dateTime(used) },
              {
                id: 'do',
                title: '',
                cell: (link) => (
                  <Button
                    kind="quiet"
                    isDisabled={action.isBusy}
                    label={say('Revoke: {name}', { name: link.title || dateTime(link.expires) })}
                    onPress={() => void revoke(link)}
                  >
                    {say('Revoke')}
                  </Button>
                ),
              },
            ]}
            rows={items}
            keyOf={({ id }) => id}
          />
        )}
      </Ready>
      <ServiceForm
        key={list.data?.items.length}
        schema={{
          required: [],
          fieldsets: [{ id: 'link', title: '', fields: ['title', 'subtree', 'expires'] }],
          properties: {
            title: { title: say('What it is for'), type: 'string', default: '' },
            subtree: { title: say('Everything below'), type: 'boolean', default: false },
            expires: {
              title: say('Good until'),
              description: say('Seven days when empty, 90 at most.'),
              type: 'string',
              factory: 'Date/Time',
            },
          },
        }}
        stored={undefined}
        button={say('Make a link')}
        save={async (body) => {
          const { url } = await place.request<{ url: string }>('POST', '@preview-links', { body });
          setMade(url);
        }}
        onSaved={list.reload}
      />
    </Panel>
  );
}

/** When and for whom an object is public: its dates, planned transitions, links for preview. */
export const Publishing = ({ object, reload }: PartProps & { reload: () => void }) => (
  <>
    {'effective' in object.content && <Dates object={object} reload={reload} />}
    {object.state && <AtTime object={object} />}
    <PreviewLinks object={object} />
  </>
);
