import type { ViewProps } from '../app.tsx';
import { ServiceForm } from '../form/form-page.tsx';
import { useAction } from '../lib/data.ts';
import { bytes, dateTime } from '../lib/format.ts';
import { abortJob, isRunning, type Job, useLooks } from '../lib/job.ts';
import { useList } from '../lib/list.ts';
import { say } from '../lib/say.ts';
import { ask, SITE_PATH } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { JobState } from '../parts/job-state.tsx';
import { ErrorNotice, Ready } from '../parts/notice.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { Table } from '../parts/table.tsx';

type Export = {
  id: string;
  path: string;
  created: string;
  expires: string;
  filename: string;
  file: string | null;
  bytes: number | null;
  job: Job | null;
  report: {
    objects: number;
    files: number;
    secrets_left: number;
    unknown_tables: string[];
    missing_count: number;
  } | null;
};

/** More than the site keeps. */
const ALL = { b_size: 100 };

const nameOf = (path: string): string => (path === '/' ? say('The whole site') : path);

/** The contents of an export, and its gaps. */
function Contents({ of: { report, job } }: { of: Export }) {
  if (report === null) return <>{job?.error ?? ''}</>;
  const { objects, files, secrets_left, unknown_tables, missing_count } = report;
  return (
    <>
      {say('{objects} objects, {files} files', { objects, files })}
      {secrets_left > 0 && <p>{say('Secrets that are left out: {total}', { total: secrets_left })}</p>}
      {missing_count > 0 && <p>{say('Files that the site has lost: {total}', { total: missing_count })}</p>}
      {unknown_tables.length > 0 && (
        <p>{say('Tables of add-ons that are not loaded: {names}', { names: unknown_tables.join(', ') })}</p>
      )}
    </>
  );
}

/** The ways that an export has: to end its job, or to download and remove its file. */
function Ways({ of: { id, path, filename, file, job }, onChange }: { of: Export; onChange: () => void }) {
  const action = useAction();
  if (job !== null && isRunning(job))
    return (
      <>
        <ErrorNotice error={action.error} />
        <Button
          kind="quiet"
          label={`${say('End it')}: ${nameOf(path)}`}
          isDisabled={action.isBusy}
          onPress={() => void action.run(() => abortJob(job)).then(onChange)}
        >
          {say('End it')}
        </Button>
      </>
    );
  return (
    <>
      {file !== null && (
        <a href={`${SITE_PATH}/++api++/@exports/${id}/file`} download={filename}>
          {filename}
        </a>
      )}{' '}
      <RemoveButton name={filename} isQuiet remove={() => ask('DELETE', `@exports/${id}`)} onRemoved={onChange} />
    </>
  );
}

/** The choice of what is exported. */
const Maker = ({ onMade }: { onMade: () => void }) => (
  <Panel title={say('New export')}>
    <ServiceForm
      schema={{
        required: [],
        fieldsets: [{ id: 'export', title: say('New export'), fields: ['path', 'passphrase'] }],
        properties: {
          path: { title: say('Path'), description: say('The whole site when empty.'), type: 'string' },
          passphrase: {
            ...{ title: say('Passphrase'), type: 'string', widget: 'password' },
            description: say('Takes secrets along, such as passwords of servers, and encrypts them.'),
          },
        },
      }}
      stored={undefined}
      button={say('Export')}
      save={async ({ path, passphrase }) => {
        await ask('POST', '@exports', { body: { ...(path ? { path } : {}), ...(passphrase ? { passphrase } : {}) } });
        onMade();
      }}
    />
  </Panel>
);

/** Exports of the site, which only Managers make: they have everything, also what nobody else may see. */
export default function ExportsPage({ me }: ViewProps) {
  const isManager = me.person.roles.includes('Manager');
  return (
    <Page title={say('Export')} lead={say('The site, or a part of it, as files that another site imports.')}>
      {isManager ? <Exports /> : <p>{say('Only Managers of the site export it.')}</p>}
    </Page>
  );
}

function Exports() {
  const list = useList<Export>('@exports', ALL);
  useLooks(list, list.data?.rows.some(({ job }) => isRunning(job)) ?? false);
  return (
    <>
      <Panel>
        <Ready of={list}>
          {({ rows }) => (
            <Table<Export>
              caption={say('Export')}
              columns={[
                { id: 'path', title: say('Path'), cell: ({ path }) => <span className="path">{nameOf(path)}</span> },
                { id: 'time', title: say('Created'), cell: ({ created }) => dateTime(created) },
                { id: 'state', title: say('State'), cell: ({ job }) => job && <JobState of={job.status} /> },
                { id: 'contents', title: say('Contents'), cell: (one) => <Contents of={one} /> },
                { id: 'size', title: say('Size'), cell: (one) => (one.bytes === null ? '' : bytes(one.bytes)) },
                { id: 'until', title: say('Kept until'), cell: ({ expires }) => dateTime(expires) },
                { id: 'do', title: '', cell: (one) => <Ways of={one} onChange={list.reload} /> },
              ]}
              rows={rows}
              keyOf={({ id }) => id}
              empty={say('Nothing is exported.')}
            />
          )}
        </Ready>
      </Panel>
      <Maker key={list.data?.total} onMade={list.reload} />
    </>
  );
}
