import { ServiceForm } from '../form/form-page.tsx';
import type { FormSchema, Values } from '../form/schema.ts';
import { useData } from '../lib/data.ts';
import { useList } from '../lib/list.ts';
import { linkTo, route } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { useStore } from '../lib/store.ts';
import { Above } from '../parts/above.tsx';
import { Link } from '../parts/link.tsx';
import { Notice, Ready } from '../parts/notice.tsx';
import { Page, Panel } from '../parts/page.tsx';

type PanelEntry = { '@id': string; title: string; group: string };
type PanelData = { title: string; group: string; schema?: FormSchema; data?: Values };

const idOf = (entry: PanelEntry): string => decodeURIComponent(entry['@id'].slice(entry['@id'].lastIndexOf('/') + 1));

/** All panels by their groups. */
function PanelList() {
  const panels = useList<PanelEntry>('@controlpanels');
  return (
    <Page title={say('Settings')}>
      <Ready of={panels}>
        {({ rows }) => (
          <div className="columns">
            {[...new Set(rows.map(({ group }) => group))].map((group) => (
              <Panel key={group} title={group}>
                <ul className="bare">
                  {rows
                    .filter((entry) => entry.group === group)
                    .map((entry) => (
                      <li key={entry['@id']}>
                        <Link to={linkTo(['settings', idOf(entry)])}>{entry.title}</Link>
                      </li>
                    ))}
                </ul>
              </Panel>
            ))}
          </div>
        )}
      </Ready>
    </Page>
  );
}

/** The settings of a panel as a form. */
function PanelForm({ id }: { id: string }) {
  const service = `@controlpanels/${encodeURIComponent(id)}`;
  const panel = useData(`panel ${id}`, (signal) => ask<PanelData>('GET', service, { signal }));
  return (
    <Page title={panel.data?.title ?? say('Settings')} above={<Above view="settings" title={say('Settings')} />}>
      <Ready of={panel}>
        {({ schema, data }) =>
          schema && data && Object.keys(schema.properties).length > 0 ? (
            <ServiceForm
              schema={schema}
              stored={data}
              save={(body) => ask('PATCH', service, { body })}
              onSaved={panel.reload}
            />
          ) : (
            <Notice kind="info">
              {say('This panel has no form. Its services are in the description of the API.')}
            </Notice>
          )
        }
      </Ready>
    </Page>
  );
}

export default function PanelsPage() {
  const { item } = useStore(route);
  return item === undefined ? <PanelList /> : <PanelForm key={item} id={item} />;
}
