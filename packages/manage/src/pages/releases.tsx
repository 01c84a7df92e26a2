import type { ViewProps } from '../app.tsx';
import { RELEASE_STATES, type Release, type ReleaseEntry, releaseAt } from '../content/release.ts';
import { Check, Parts, Publication, ShowLink } from '../content/release-steps.tsx';
import { ServiceForm } from '../form/form-page.tsx';
import { useData } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import type { Me } from '../lib/me.ts';
import { go, linkTo, route } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { useStore } from '../lib/store.ts';
import { Above } from '../parts/above.tsx';
import { Link } from '../parts/link.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { Notice, Ready } from '../parts/notice.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { StateBadge } from '../parts/state-badge.tsx';

const State = ({ of }: { of: string }) => <StateBadge states={RELEASE_STATES} of={of} />;

const ReleaseList = () => (
  <Page title={say('Releases')} lead={say('Changes that go live together, and can be undone together.')}>
    <ServiceTable<ReleaseEntry>
      service="@releases"
      caption={say('Releases')}
      columns={[
        {
          id: 'title',
          title: say('Title'),
          cell: ({ id, title }) => (
            <Link to={linkTo(['releases', id])} className="name">
              {title}
            </Link>
          ),
        },
        { id: 'who', title: say('User'), cell: ({ creator }) => creator },
        { id: 'time', title: say('Created'), cell: ({ created }) => dateTime(created) },
        { id: 'live', title: say('Published'), cell: ({ published, at }) => dateTime(published ?? at) },
        { id: 'state', title: say('State'), cell: ({ state }) => <State of={state} /> },
      ]}
      keyOf={({ id }) => id}
      empty={say('There are no releases.')}
    />
    <Panel title={say('New release')}>
      <ServiceForm
        schema={{
          required: ['title'],
          fieldsets: [{ id: 'release', title: say('New release'), fields: ['title', 'description'] }],
          properties: {
            title: { title: say('Title'), type: 'string' },
            description: { title: say('Description'), type: 'string', widget: 'textarea' },
          },
        }}
        stored={undefined}
        button={say('Create')}
        save={async (body) => {
          const { id } = await ask<Release>('POST', '@releases', { body });
          go(linkTo(['releases', id]));
        }}
      />
    </Panel>
  </Page>
);

function ReleasePage({ id, me }: { id: string; me: Me }) {
  const found = useData(`release ${id}`, (signal) => ask<Release>('GET', releaseAt(id), { signal }));
  const { data, reload } = found;
  return (
    <Page
      title={data?.title ?? say('Release')}
      lead={
        data && (
          <>
            <State of={data.state} /> {data.creator} {dateTime(data.published ?? data.at ?? data.created)}
          </>
        )
      }
      above={<Above view="releases" title={say('Releases')} />}
    >
      <Ready of={found}>
        {(release) => {
          const isDraft = release.state === 'draft' || release.state === 'failed';
          const isOpen = isDraft || release.state === 'scheduled';
          return (
            <>
              {release.description !== '' && <p>{release.description}</p>}
              {release.problem && <Notice kind="bad">{release.problem.message}</Notice>}
              <Parts release={release} reload={reload} isOpen={isDraft} />
              {isOpen && <Check key={release.changed} release={release} />}
              {isOpen && me.may.publishing && <ShowLink release={release} />}
              {me.may.publishing && release.state !== 'undone' && <Publication release={release} reload={reload} />}
              <RemoveButton
                name={release.title}
                remove={() => ask('DELETE', releaseAt(id))}
                onRemoved={() => go(linkTo('releases'))}
              >
                {say('What it has published stays.')}
              </RemoveButton>
            </>
          );
        }}
      </Ready>
    </Page>
  );
}

/** The releases of the site, and one of them. */
export default function ReleasesPage({ me }: ViewProps) {
  const { item } = useStore(route);
  return item === undefined ? <ReleaseList /> : <ReleasePage key={item} id={item} me={me} />;
}
