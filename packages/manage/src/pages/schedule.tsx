import { useState } from 'react';
import { ServiceForm } from '../form/form-page.tsx';
import type { FormSchema, Values } from '../form/schema.ts';
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
import { Badge, Page } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';

type Scheduled = {
  id: string;
  title: string;
  description: string;
  enabled: boolean;
  action: string;
  params: Values;
  schedule: string;
  next_run: string | null;
};
type JobAction = { '@schema': FormSchema; addview: string; title: string; description: string };

/** The scheduled job that the settings of backups make. */
const BACKUP = 'canopy-backup';

const schemaOf = (actions: readonly JobAction[], isNew: boolean): FormSchema => ({
  required: ['id', 'action', 'schedule'],
  fieldsets: [
    {
      id: 'job',
      title: say('Scheduled job'),
      fields: [...(isNew ? ['id'] : []), 'title', 'action', 'schedule', 'enabled', 'params'],
    },
  ],
  properties: {
    id: { title: say('Short name'), description: say('It stays.'), type: 'string' },
    title: { title: say('Title'), type: 'string', default: '' },
    action: {
      title: say('What it does'),
      type: 'string',
      choices: actions.map(({ addview, title }) => [addview, title] as const),
    },
    schedule: {
      title: say('When'),
      description: say(
        'Five fields of cron, in UTC: minute, hour, day, month, day of the week. 0 3 * * * is three at night.',
      ),
      type: 'string',
      default: '0 3 * * *',
    },
    enabled: { title: say('Starts by itself'), type: 'boolean', default: true },
    params: { title: say('Values for it, as JSON'), type: 'dict', default: {} },
  },
});

const loadActions = (signal: AbortSignal) => ask<JobAction[]>('GET', '@scheduled-job-actions', { signal });

function StartButton({ job, onDone }: { job: Scheduled; onDone: () => void }) {
  const action = useAction();
  const start = async (): Promise<void> => {
    if (await action.run(() => ask('POST', `@scheduled-jobs/${encodeURIComponent(job.id)}/start`, { body: {} })))
      onDone();
  };
  return (
    <>
      <Button
        kind="quiet"
        isDisabled={action.isBusy}
        label={say('Start now: {name}', { name: job.title })}
        onPress={() => void start()}
      >
        {say('Start now')}
      </Button>
      <ErrorNotice error={action.error} />
    </>
  );
}

function Schedule() {
  const [started, setStarted] = useState<string>();
  const jobs = useData('backup job', (signal) => ask<Scheduled[]>('GET', '@scheduled-jobs', { signal }));
  return (
    <Page
      title={say('Schedule')}
      lead={say('Work that begins by the clock, in UTC.')}
      actions={<NewButton view="schedule" title={say('New scheduled job')} />}
    >
      {started !== undefined && (
        <Notice kind="good">
          {say('Started: {name}', { name: started })} <Link to={linkTo('jobs')}>{say('All jobs')}</Link>
        </Notice>
      )}
      {jobs.data && !jobs.data.some(({ id }) => id === BACKUP) && (
        <Notice kind="info">
          {say(
            'No backups are made by the clock. The settings BACKUP_TARGET and BACKUP_SCHEDULE of the server make them.',
          )}
        </Notice>
      )}
      <ServiceTable<Scheduled>
        service="@scheduled-jobs"
        caption={say('Schedule')}
        columns={[
          {
            id: 'title',
            title: say('Title'),
            cell: ({ id, title, enabled }) => (
              <>
                <Link to={linkTo(['schedule', id])} className="name">
                  {title}
                </Link>{' '}
                {!enabled && <Badge>{say('Switched off')}</Badge>}
              </>
            ),
          },
          { id: 'when', title: say('When'), cell: ({ schedule }) => <code>{schedule}</code> },
          { id: 'next', title: say('Next'), cell: ({ next_run: next }) => dateTime(next) },
          { id: 'do', title: '', cell: (job) => <StartButton job={job} onDone={() => setStarted(job.title)} /> },
        ]}
        keyOf={({ id }) => id}
        empty={say('There is nothing here yet.')}
      />
    </Page>
  );
}

function ScheduledPage({ id }: { id: string }) {
  const service = `@scheduled-jobs/${encodeURIComponent(id)}`;
  const parts = useData(`scheduled ${id}`, async (signal) => {
    const [job, actions] = await Promise.all([ask<Scheduled>('GET', service, { signal }), loadActions(signal)]);
    return { job, actions };
  });
  return (
    <Page
      title={parts.data?.job.title ?? id}
      lead={parts.data?.job.description}
      above={<Above view="schedule" title={say('Schedule')} />}
      actions={
        <RemoveButton name={id} remove={() => ask('DELETE', service)} onRemoved={() => go(linkTo('schedule'))}>
          {say('Jobs that it has started stay.')}
        </RemoveButton>
      }
    >
      <Ready of={parts}>
        {({ job, actions }) => (
          <ServiceForm
            schema={schemaOf(actions, false)}
            stored={job}
            save={(body) => ask('PATCH', service, { body })}
            onSaved={parts.reload}
          />
        )}
      </Ready>
    </Page>
  );
}

function NewScheduled() {
  const actions = useData('job actions', loadActions);
  return (
    <Page title={say('New scheduled job')} above={<Above view="schedule" title={say('Schedule')} />}>
      <Ready of={actions}>
        {(data) => (
          <ServiceForm
            schema={schemaOf(data, true)}
            stored={undefined}
            button={say('Create')}
            save={async (changes) => {
              const body = { schedule: '0 3 * * *', ...changes };
              const { id } = await ask<Scheduled>('POST', '@scheduled-jobs', { body });
              go(linkTo(['schedule', id]));
            }}
          />
        )}
      </Ready>
    </Page>
  );
}

/** Jobs by the clock, also the backup of the site. */
export default function SchedulePage() {
  return <Entries List={Schedule} Entry={ScheduledPage} New={NewScheduled} />;
}
