import type { Summary } from '@canopy-server/client';
import { useState } from 'react';
import type { ViewProps } from '../app.tsx';
import { contentColumns, withStates } from '../content/columns.tsx';
import { FirstSteps } from '../content/first-steps.tsx';
import { useData } from '../lib/data.ts';
import { linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { site } from '../lib/site.ts';
import { Link } from '../parts/link.tsx';
import { Ready } from '../parts/notice.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';

const MAX_RECENT = 8;
/** A site with no more objects is new. */
const FEW = 3;

/** The first page: what was changed of late. */
export default function StartPage({ me }: ViewProps) {
  const [isMade, setMade] = useState(false);
  const recent = useData('recent', (signal) =>
    site()
      .search(
        {},
        {
          sort: 'modified',
          order: 'descending',
          size: MAX_RECENT,
          columns: ['modified', 'is_folderish', 'type_title'],
          facets: ['review_state'],
          signal,
        },
      )
      .first(),
  );
  const columns = contentColumns(['title', 'type', 'state', 'modified']).map(({ sort: _, ...column }) => column);
  return (
    <Page title={say('Welcome, {name}', { name: me.title })}>
      {me.may.portal && recent.data && (isMade || recent.data.total <= FEW) && (
        <FirstSteps
          onMade={() => {
            setMade(true);
            recent.reload();
          }}
        />
      )}
      <Panel title={say('Changed of late')}>
        <Ready of={recent}>
          {(batch) => (
            <Table<Summary>
              caption={say('Changed of late')}
              columns={columns}
              rows={withStates(batch)}
              keyOf={(item) => item['@id']}
            />
          )}
        </Ready>
        <p>
          <Link to={linkTo('content')}>{say('All content')}</Link>
        </p>
      </Panel>
    </Page>
  );
}
