import { useState } from 'react';
import { ServiceForm } from '../form/form-page.tsx';
import { useAction, useData } from '../lib/data.ts';
import { linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { Link } from '../parts/link.tsx';
import { ErrorNotice, Notice, Ready } from '../parts/notice.tsx';
import { Facts, Page, Panel } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { Table } from '../parts/table.tsx';

type Waiting = { cache: string; waiting: number; error: string | null };
type Purges = { enabled: boolean; has_token: boolean; items: Waiting[] };

/** Caches outside of the site, which are purged of changes. */
export default function CachesPage() {
  const purges = useData('cache purges', (signal) => ask<Purges>('GET', '@cache-purges', { signal }));
  const [isDone, setDone] = useState(false);
  const action = useAction();
  const purge = async (): Promise<void> => {
    const done = await action.run(() => ask('POST', '@cache-purges', { body: {} }));
    setDone(done);
    if (done) purges.reload();
  };
  return (
    <Page
      title={say('Caches')}
      lead={
        <>
          {say('Caches in front of the site, such as Varnish or a CDN.')}{' '}
          <Link to={linkTo(['settings', 'caching'])}>{say('Settings')}</Link>
        </>
      }
    >
      <ErrorNotice error={action.error} />
      {isDone && <Notice kind="good">{say('They are notified.')}</Notice>}
      <Ready of={purges}>
        {(data) => (
          <>
            <Panel>
              <Facts
                of={[
                  [say('Caches are notified of changes'), data.enabled ? say('Yes') : say('No')],
                  [say('A token for them is stored'), data.has_token ? say('Yes') : say('No')],
                ]}
              />
              {data.enabled && (
                <Button isDisabled={action.isBusy} onPress={() => void purge()}>
                  {say('Have them forget everything')}
                </Button>
              )}
            </Panel>
            <Panel title={say('Waiting')}>
              <Table<Waiting>
                caption={say('Waiting')}
                columns={[
                  { id: 'cache', title: say('Address'), cell: ({ cache }) => <span className="path">{cache}</span> },
                  { id: 'waiting', title: say('Waiting'), cell: ({ waiting }) => waiting },
                  { id: 'error', title: say('Reason'), cell: ({ error }) => error },
                ]}
                rows={data.items}
                keyOf={({ cache }) => cache}
              />
            </Panel>
            <Panel title={say('Token for caches')}>
              <ServiceForm
                schema={{
                  required: ['token'],
                  fieldsets: [{ id: 'token', title: '', fields: ['token'] }],
                  properties: { token: { title: say('Token'), type: 'string', factory: 'Password' } },
                }}
                stored={undefined}
                save={(body) => ask('PUT', '@cache-purges/token', { body })}
                onSaved={purges.reload}
              />
              {data.has_token && (
                <RemoveButton
                  name={say('Token for caches')}
                  remove={() => ask('DELETE', '@cache-purges/token')}
                  onRemoved={purges.reload}
                />
              )}
            </Panel>
          </>
        )}
      </Ready>
    </Page>
  );
}
