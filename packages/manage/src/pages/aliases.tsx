import { useState } from 'react';
import { ServiceForm } from '../form/form-page.tsx';
import { dateTime } from '../lib/format.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { ServiceTable } from '../parts/list-page.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';

type Alias = { path: string; 'redirect-to': string; datetime: string; manual: boolean };

/** Old addresses, and where they lead. */
export default function AliasesPage() {
  const [version, setVersion] = useState(0);
  const reload = (): void => setVersion(version + 1);
  return (
    <Page title={say('Old addresses')} lead={say('Addresses that lead to content, such as those that it had before.')}>
      <ServiceTable<Alias>
        service="@aliases"
        searchBy="query"
        version={version}
        caption={say('Old addresses')}
        columns={[
          { id: 'path', title: say('Address'), cell: ({ path }) => <span className="path">{path}</span> },
          { id: 'to', title: say('Leads to'), cell: ({ 'redirect-to': to }) => <span className="path">{to}</span> },
          { id: 'why', title: say('Made by'), cell: ({ manual }) => (manual ? say('A person') : say('A move')) },
          { id: 'time', title: say('Time'), cell: ({ datetime }) => dateTime(datetime) },
          {
            id: 'do',
            title: '',
            cell: ({ path }) => (
              <RemoveButton
                name={path}
                isQuiet
                remove={() => ask('DELETE', '@aliases', { body: { items: [{ path }] } })}
                onRemoved={reload}
              />
            ),
          },
        ]}
        keyOf={({ path }) => path}
      />
      <Panel title={say('New address')}>
        <ServiceForm
          key={version}
          schema={{
            required: ['path', 'redirect-to'],
            fieldsets: [{ id: 'alias', title: say('New address'), fields: ['path', 'redirect-to'] }],
            properties: {
              path: { title: say('Address'), description: say('A path: /old-news'), type: 'string' },
              'redirect-to': { title: say('Leads to'), description: say('The path of content.'), type: 'string' },
            },
          }}
          stored={undefined}
          button={say('Add')}
          save={async (item) => {
            await ask('POST', '@aliases', { body: { items: [item] } });
            reload();
          }}
        />
      </Panel>
    </Page>
  );
}
