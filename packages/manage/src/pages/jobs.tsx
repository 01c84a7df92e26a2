import { useState } from 'react';
import { useAction } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { JobState } from '../parts/job-state.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';

type Job = {
  uuid: string;
  title: string;
  actor: string;
  created: string;
  finished: string | null;
  status: string;
  progress: unknown;
  error: unknown;
};

const isOver = ({ status }: Job): boolean => status !== 'created' && status !== 'running';

/** How far a job is, as far as its action reports it. */
function progressOf({ progress }: Job): string {
  if (typeof progress !== 'object' || progress === null) return '';
  const { done, total } = { done: undefined, total: undefined, ...progress };
  return typeof done === 'number' && typeof total === 'number' ? say('{done} done of {total}', { done, total }) : '';
}

const errorText = (error: unknown): string =>
  typeof error === 'string'
    ? error
    : typeof error === 'object' && error !== null && 'message' in error
      ? String(error.message)
      : '';

/** Work in the background: what waits, runs, and has failed. */
export default function JobsPage() {
  const [version, setVersion] = useState(0);
  const action = useAction();
  const change = async (job: Job, what: 'abort' | 'retry'): Promise<void> => {
    if (await action.run(() => ask('POST', `@jobs/${job.uuid}/${what}`, { body: {} }))) setVersion(version + 1);
  };
  const columns: Column<Job>[] = [
    { id: 'title', title: say('Title'), cell: ({ title, uuid }) => <strong>{title || uuid}</strong> },
    {
      id: 'status',
      title: say('State'),
      cell: (job) => (
        <>
          <JobState of={job.status} /> {progressOf(job)}
          {errorText(job.error) !== '' && <div className="problem">{errorText(job.error)}</div>}
        </>
      ),
    },
    { id: 'who', title: say('User'), cell: ({ actor }) => actor },
    { id: 'created', title: say('Created'), cell: ({ created }) => dateTime(created) },
    { id: 'finished', title: say('Ended'), cell: ({ finished }) => dateTime(finished) },
    {
      id: 'do',
      title: '',
      cell: (job) =>
        isOver(job) ? (
          <Button kind="quiet" isDisabled={action.isBusy} onPress={() => void change(job, 'retry')}>
            {say('Do it again')}
          </Button>
        ) : (
          <Button kind="quiet" isDisabled={action.isBusy} onPress={() => void change(job, 'abort')}>
            {say('End it')}
          </Button>
        ),
    },
  ];
  return (
    <Page
      title={say('Jobs')}
      lead={say('Work in the background.')}
      actions={<Button onPress={() => setVersion(version + 1)}>{say('Load again')}</Button>}
    >
      <ErrorNotice error={action.error} />
      <ServiceTable
        service="@jobs"
        caption={say('Jobs')}
        columns={columns}
        keyOf={({ uuid }) => uuid}
        version={version}
        empty={say('No job has run yet.')}
      />
    </Page>
  );
}
