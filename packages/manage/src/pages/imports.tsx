import { useState } from 'react';
import type { ViewProps } from '../app.tsx';
import { Field } from '../form/field.tsx';
import { useAction, useData } from '../lib/data.ts';
import { bytes, dateTime } from '../lib/format.ts';
import { abortJob, isRunning, type Job, useLooks } from '../lib/job.ts';
import { useList } from '../lib/list.ts';
import { go, linkTo, route } from '../lib/route.ts';
import { message, say } from '../lib/say.ts';
import { sendFile } from '../lib/send-file.ts';
import { ask } from '../lib/site.ts';
import { useStore } from '../lib/store.ts';
import { Above } from '../parts/above.tsx';
import { Button } from '../parts/button.tsx';
import { JobState } from '../parts/job-state.tsx';
import { Link } from '../parts/link.tsx';
import { ErrorNotice, Notice, Ready } from '../parts/notice.tsx';
import { Facts, Page, Panel } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { Table } from '../parts/table.tsx';
import { ImportReport, type Report } from '../setup/import-report.tsx';

type Import = {
  id: string;
  filename: string;
  bytes: number;
  created: string;
  stored: boolean;
  job: Job | null;
  report: Report | null;
};

/** The sides that can count where the site and a newer export have both changed the same. */
const RULES: readonly (readonly [string, string])[] = [
  ['', message('First import: what is there already stays as it is')],
  ['stop', message('Newer export: import nothing where both have changed the same')],
  ['keep', message('Newer export: this site counts where both have changed the same')],
  ['take', message('Newer export: the export counts where both have changed the same')],
];

const State = ({ of }: { of: Job | null }) => (of === null ? say('Uploaded') : <JobState of={of.status} />);

/** The choice of a file, which is sent at once. */
function Sender() {
  const [sending, setSending] = useState<{ file: File; sent: number; abort: AbortController }>();
  const action = useAction();
  const send = async (file: File): Promise<void> => {
    const abort = new AbortController();
    setSending({ file, sent: 0, abort });
    await action.run(async () => {
      const { id } = await sendFile<Import>('@imports', file, {
        ...{ query: { filename: file.name }, signal: abort.signal },
        onSent: (sent) => setSending({ file, sent, abort }),
      });
      go(linkTo(['imports', id]));
    });
    setSending(undefined);
  };
  return (
    <Panel title={say('Upload an export')}>
      <ErrorNotice error={action.error} />
      <Field
        id="export-file"
        title={say('File of the export')}
        help={say(
          'A .zip or .tar.gz of the folder of an export, a single .json, or the .xml of WordPress. Nothing is imported yet.',
        )}
      >
        <input
          id="export-file"
          type="file"
          accept=".zip,.gz,.tgz,.json,.xml"
          aria-describedby="export-file-help"
          disabled={sending !== undefined}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) void send(file);
            target.value = '';
          }}
        />
      </Field>
      {sending && (
        <p aria-live="polite">
          {sending.file.name}{' '}
          <progress value={sending.sent} max={Math.max(1, sending.file.size)} aria-label={sending.file.name} />{' '}
          <Button kind="quiet" onPress={() => sending.abort.abort()}>
            {say('End it')}
          </Button>
        </p>
      )}
    </Panel>
  );
}

/** The uploaded exports. */
function Uploads() {
  const list = useList<Import>('@imports');
  return (
    <Page
      title={say('Import')}
      lead={say('Brings the content, users and old addresses of another site: of Plone, WordPress or this server.')}
    >
      <Sender />
      <Panel title={say('Uploaded exports')}>
        <Ready of={list}>
          {({ rows }) => (
            <Table<Import>
              caption={say('Uploaded exports')}
              columns={[
                {
                  id: 'name',
                  title: say('File'),
                  cell: ({ id, filename }) => <Link to={linkTo(['imports', id])}>{filename}</Link>,
                },
                { id: 'size', title: say('Size'), cell: (one) => bytes(one.bytes) },
                { id: 'time', title: say('Uploaded'), cell: ({ created }) => dateTime(created) },
                { id: 'state', title: say('State'), cell: ({ job }) => <State of={job} /> },
              ]}
              rows={rows}
              keyOf={({ id }) => id}
              empty={say('Nothing is uploaded.')}
            />
          )}
        </Ready>
      </Panel>
    </Page>
  );
}

/** How far a running job is, and the way to end it. */
function Running({ job, onChange }: { job: Job; onChange: () => void }) {
  const action = useAction();
  const { done, total } = job.progress ?? { done: 0, total: 0 };
  return (
    <Panel title={say('The import runs')}>
      <ErrorNotice error={action.error} />
      <p role="status">
        <progress {...(total > 0 ? { value: done, max: total } : {})} aria-label={say('The import runs')} />{' '}
        {total > 0 && say('{done} done of {total}', { done, total })}
      </p>
      <Button isDisabled={action.isBusy} onPress={() => void action.run(() => abortJob(job)).then(onChange)}>
        {say('End it')}
      </Button>
    </Panel>
  );
}

/** The choices of an import, and its two ways: to try it, and to do it. */
function Choices({ of, onStarted }: { of: Import; onStarted: () => void }) {
  const [rule, setRule] = useState('');
  const [isStrict, setStrict] = useState(false);
  const action = useAction();
  const isTried = of.report?.dry_run === true;
  const start = (dryRun: boolean): void =>
    void action
      .run(() =>
        ask('POST', `@imports/${of.id}/start`, {
          body: { dry_run: dryRun, strict: isStrict, ...(rule === '' ? {} : { again: true, conflicts: rule }) },
        }),
      )
      .then((isDone) => isDone && onStarted());
  return (
    <Panel title={say('Import it')}>
      <ErrorNotice error={action.error} />
      <Field id="import-rule" title={say('What counts')}>
        <select id="import-rule" value={rule} onChange={({ target }) => setRule(target.value)}>
          {RULES.map(([value, title]) => (
            <option key={value} value={value}>
              {say(title)}
            </option>
          ))}
        </select>
      </Field>
      <Field id="import-strict" title={say('Import nothing when something would be lost')} isToggle>
        <input
          id="import-strict"
          type="checkbox"
          checked={isStrict}
          onChange={({ target }) => setStrict(target.checked)}
        />
      </Field>
      {!isTried && (
        <p className="soft">
          {say('Try it first: it says what would come and what would be lost, and changes nothing.')}
        </p>
      )}
      <div className="actions">
        <Button kind={isTried ? 'plain' : 'primary'} isDisabled={action.isBusy} onPress={() => start(true)}>
          {say('What would change')}
        </Button>
        <Button kind={isTried ? 'primary' : 'plain'} isDisabled={action.isBusy} onPress={() => start(false)}>
          {say('Import')}
        </Button>
      </div>
    </Panel>
  );
}

/** One uploaded export: its file, its job, its report. */
function One({ id }: { id: string }) {
  const found = useData(`import ${id}`, (signal) =>
    ask<Import>('GET', `@imports/${encodeURIComponent(id)}`, { signal }),
  );
  const { data, reload } = found;
  const isBusy = isRunning(data?.job ?? null);
  useLooks(found, isBusy);
  return (
    <Page title={data?.filename ?? say('Import')} above={<Above view="imports" title={say('Import')} />}>
      <Ready of={found}>
        {(one) => (
          <>
            {one.job?.status === 'failed' && <Notice kind="bad">{one.job.error}</Notice>}
            {one.job?.status === 'aborted' && (
              <Notice kind="info">{say('The import was ended. Import once more to go on.')}</Notice>
            )}
            {one.job !== null && isBusy ? (
              <Running job={one.job} onChange={reload} />
            ) : (
              one.stored && <Choices of={one} onStarted={reload} />
            )}
            {one.report && !isBusy && <ImportReport id={id} report={one.report} version={one.job?.uuid ?? ''} />}
            <Panel>
              <Facts
                of={[
                  [say('Size'), bytes(one.bytes)],
                  [say('Uploaded'), dateTime(one.created)],
                  [say('The file is stored'), one.stored ? say('Yes') : say('No')],
                ]}
              />
              {!isBusy && (
                <RemoveButton
                  name={one.filename}
                  remove={() => ask('DELETE', `@imports/${id}`)}
                  onRemoved={() => go(linkTo('imports'))}
                />
              )}
            </Panel>
          </>
        )}
      </Ready>
    </Page>
  );
}

/** Exports of other sites: uploaded, tried, imported. Only Managers may, because an export brings users with any roles. */
export default function ImportsPage({ me }: ViewProps) {
  const { item } = useStore(route);
  if (!me.person.roles.includes('Manager'))
    return (
      <Page title={say('Import')}>
        <p>{say('Only Managers of the site import exports.')}</p>
      </Page>
    );
  return item === undefined ? <Uploads /> : <One key={item} id={item} />;
}
