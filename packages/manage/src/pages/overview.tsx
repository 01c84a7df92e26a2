import { ConnectionError } from '@canopy-server/client';
import { useEffect, useState } from 'react';
import type { ViewProps } from '../app.tsx';
import { useData } from '../lib/data.ts';
import { bytes, count, dateTime } from '../lib/format.ts';
import { useList } from '../lib/list.ts';
import { linkTo } from '../lib/route.ts';
import { message, say } from '../lib/say.ts';
import { ask, publicAddress, SITE_PATH } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { Link } from '../parts/link.tsx';
import { Notice, Ready } from '../parts/notice.tsx';
import { Badge, Facts, Page, Panel } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { Figures } from '../setup/figures.tsx';

type Check = { status: 'pass' | 'warn' | 'fail'; observedValue?: unknown; observedUnit?: string; output?: string };
type Health = { status: Check['status']; version: string; checks: Readonly<Record<string, Check[]>> };
type System = { items: { label: string; value: string }[]; upgrade: boolean };
type Job = { uuid: string; title: string; status: string; created: string; error: unknown };

/** Milliseconds after which the health is looked at again. */
const REFRESH_MS = 30_000;
const MAX_FAILURES = 5;

const STATES: Readonly<Record<Check['status'], { title: string; kind: string }>> = {
  pass: { title: message('Good'), kind: 'good' },
  warn: { title: message('Look at it'), kind: 'info' },
  fail: { title: message('Bad'), kind: 'bad' },
};

const State = ({ of }: { of: Check['status'] }) => <Badge kind={STATES[of].kind}>{say(STATES[of].title)}</Badge>;

/** The value of a check with its unit. */
function shownValue({ observedValue: value, observedUnit: unit = '' }: Check): string {
  if (typeof value === 'number') return unit === 'bytes' ? bytes(value) : `${count(value)} ${unit}`.trim();
  return typeof value === 'string' ? value : '';
}

/** The names of checks as words: `cachePurges:waiting` has two. */
const nameOf = (id: string): string =>
  id
    .split(':')
    .map((part) => part.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase())
    .join(': ')
    .replace(/^./, (letter) => letter.toUpperCase());

type Row = Check & { id: string };

/** The health is also sent, with its reasons, when it is bad: then its status is no success. */
async function loadHealth(signal: AbortSignal): Promise<Health> {
  try {
    return await (await fetch(`${SITE_PATH}/++api++/@health`, { signal, credentials: 'omit' })).json();
  } catch (cause) {
    throw new ConnectionError('The site cannot be reached', { cause });
  }
}

/** How the site is: its checks with their reasons, what failed of late, what runs here. */
export default function OverviewPage({ me }: ViewProps) {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((n) => n + 1), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const health = useData('health', loadHealth);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock loads it again
  useEffect(() => {
    if (turn > 0) health.reload();
  }, [turn]);
  const system = useData('system', (signal) => ask<System>('GET', '@system', { signal }));
  const database = useData('database', (signal) =>
    ask<{ db_size: string; blob_size: string; database_size: number; cache_length: number; cache_size: number }>(
      'GET',
      '@database',
      { signal },
    ),
  );
  const jobs = useList<Job>('@jobs', { b_size: 50 }, turn);
  const failures = (jobs.data?.rows ?? []).filter(({ status }) => status === 'failed').slice(0, MAX_FAILURES);
  return (
    <Page
      title={say('Overview')}
      lead={health.data && <State of={health.data.status} />}
      actions={<Button onPress={() => setTurn(turn + 1)}>{say('Load again')}</Button>}
    >
      {system.data?.upgrade === true && (
        <Notice kind="info">
          {say('An upgrade waits.')} {me.may.portal && <Link to={linkTo('upgrade')}>{say('Upgrade')}</Link>}
        </Notice>
      )}
      <Panel title={say('Health')}>
        <Ready of={health}>
          {({ checks }) => (
            <Table<Row>
              caption={say('Health')}
              columns={[
                { id: 'name', title: say('What'), cell: ({ id }) => nameOf(id) },
                { id: 'state', title: say('State'), cell: ({ status }) => <State of={status} /> },
                { id: 'value', title: say('Value'), cell: (check) => shownValue(check) },
                { id: 'why', title: say('Reason'), cell: ({ output }) => output ?? '' },
              ]}
              rows={Object.entries(checks).flatMap(([id, all]) => all.map((check) => ({ ...check, id })))}
              keyOf={({ id }) => id}
            />
          )}
        </Ready>
      </Panel>
      <Figures turn={turn} />
      <Panel title={say('Jobs that have failed')}>
        <Table<Job>
          caption={say('Jobs that have failed')}
          columns={[
            { id: 'title', title: say('Title'), cell: ({ title, uuid }) => title || uuid },
            { id: 'time', title: say('Time'), cell: ({ created }) => dateTime(created) },
          ]}
          rows={failures}
          keyOf={({ uuid }) => uuid}
          empty={say('No job has failed of late.')}
        />
        <p>
          <Link to={linkTo('jobs')}>{say('All jobs')}</Link>
        </p>
      </Panel>
      <Panel title={say('What runs here')}>
        <Ready of={system}>
          {({ items }) => <Facts of={items.map(({ label, value }) => [label, value] as const)} />}
        </Ready>
        <Ready of={database}>
          {(data) => (
            <Facts
              of={[
                [say('Objects'), count(data.database_size)],
                [say('Size of the database'), data.db_size],
                [say('Size of the files'), data.blob_size],
                [say('Cached responses'), count(data.cache_length)],
              ]}
            />
          )}
        </Ready>
        {me.may.portal && (
          <p>
            <Link to={linkTo('settings')}>{say('Settings')}</Link>{' '}
            <a href={`${publicAddress('/')}@docs`}>{say('API description')}</a>
          </p>
        )}
      </Panel>
    </Page>
  );
}
