/** The way of a release: its parts, the check, the link that shows it, its publication, its undo. */

import { useState } from 'react';
import { ServiceForm } from '../form/form-page.tsx';
import { useAction } from '../lib/data.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { type Change, Changes } from '../parts/changes.tsx';
import { ErrorNotice, Notice } from '../parts/notice.tsx';
import { Badge, Panel } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { onConflict, SideSelect } from '../parts/side-select.tsx';
import { Table } from '../parts/table.tsx';
import { type Release, releaseAt } from './release.ts';

type StepProps = { release: Release; reload: () => void };

const METHODS = ['PATCH', 'POST', 'DELETE', 'PUT'];

/** The form for a further part: a request as a program sends it. */
const NewPart = ({ release, reload }: StepProps) => (
  <Panel title={say('New part')}>
    <ServiceForm
      key={release.changed}
      schema={{
        required: ['method', 'path'],
        fieldsets: [{ id: 'part', title: say('New part'), fields: ['method', 'path', 'body'] }],
        properties: {
          method: { title: say('Method'), type: 'string', choices: METHODS.map((name) => [name, name]) },
          path: {
            title: say('Path'),
            description: say('Such as /news to change it, or /news/@workflow/publish for a transition.'),
            type: 'string',
          },
          body: { title: say('Body'), description: say('The fields as JSON.'), type: 'dict', widget: 'json' },
        },
      }}
      stored={undefined}
      button={say('Add')}
      save={async ({ method, path, body }) => {
        const part = { method, path, ...(body === undefined || body === null ? {} : { body }) };
        await ask('POST', releaseAt(release.id, 'parts'), { body: { parts: [part] } });
        reload();
      }}
    />
  </Panel>
);

/** The parts in their order. */
export const Parts = ({ release, reload, isOpen }: StepProps & { isOpen: boolean }) => (
  <>
    <Panel title={say('Parts')}>
      <Table
        caption={say('Parts')}
        columns={[
          { id: 'number', title: say('Number'), cell: ({ number }) => number },
          {
            id: 'request',
            title: say('Request'),
            cell: ({ method, path, out_of_date: isOld }) => (
              <>
                {method} <span className="path">{path}</span>{' '}
                {isOld && <Badge kind="info">{say('Others have changed the content since')}</Badge>}
              </>
            ),
          },
          { id: 'who', title: say('User'), cell: ({ author }) => author },
          {
            id: 'do',
            title: '',
            cell: ({ number, method, path }) =>
              isOpen && (
                <RemoveButton
                  name={`${method} ${path}`}
                  isQuiet
                  remove={() => ask('DELETE', releaseAt(release.id, 'parts', number))}
                  onRemoved={reload}
                />
              ),
          },
        ]}
        rows={release.parts}
        keyOf={({ number }) => String(number)}
        empty={say('It has no parts yet.')}
      />
    </Panel>
    {isOpen && <NewPart release={release} reload={reload} />}
  </>
);

type Reference = { '@id': string; title: string };
type Report = {
  ready: boolean;
  problems: { part: number | null; message: string }[];
  conflicts: { part: number | null; field?: string }[];
  broken_links: Reference[];
  private_links: (Reference & { target: Reference })[];
  changes: Change[];
};

const Findings = ({ title, lines }: { title: string; lines: readonly string[] }) =>
  lines.length > 0 && (
    <Notice kind="bad">
      {title}
      <ul>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
          <li key={index}>{line}</li>
        ))}
      </ul>
    </Notice>
  );

const partName = (part: number | null): string => (part === null ? '' : `${say('Part {number}', { number: part })}: `);

/** The check of a release: what it would do at this moment, and what is against it. */
export function Check({ release }: { release: Release }) {
  const [report, setReport] = useState<Report>();
  const action = useAction();
  const check = async (): Promise<void> => setReport(await ask<Report>('POST', releaseAt(release.id, 'check')));
  return (
    <>
      <Panel title={say('Check')}>
        <ErrorNotice error={action.error} />
        {report?.ready && <Notice kind="good">{say('It can be published.')}</Notice>}
        {report && (
          <>
            <Findings
              title={say('Parts that do not work')}
              lines={report.problems.map(({ part, message }) => `${partName(part)}${message}`)}
            />
            <Findings
              title={say('Others have changed the same')}
              lines={report.conflicts.map(({ part, field = '' }) => `${partName(part)}${field}`)}
            />
            <Findings title={say('Links to nothing')} lines={report.broken_links.map(({ title }) => title)} />
            <Findings
              title={say('Links to what visitors do not see')}
              lines={report.private_links.map(({ title, target }) => `${title} → ${target.title}`)}
            />
          </>
        )}
        <Button isDisabled={action.isBusy} onPress={() => void action.run(check)}>
          {say('What would change')}
        </Button>
      </Panel>
      {report && <Changes changes={report.changes} />}
    </>
  );
}

/** A link that shows the site as it will be. */
export function ShowLink({ release }: { release: Release }) {
  const [made, setMade] = useState<string>();
  const action = useAction();
  const make = async (): Promise<void> => {
    const { url } = await ask<{ url: string }>('POST', releaseAt(release.id, 'preview-links'), { body: {} });
    setMade(url);
  };
  return (
    <Panel title={say('Preview')}>
      <ErrorNotice error={action.error} />
      {made !== undefined && (
        <p>
          <a href={made}>{made}</a>
        </p>
      )}
      <p className="soft">{say('The link shows the whole site as it will be, for a week. It is shown once.')}</p>
      <Button isDisabled={action.isBusy} onPress={() => void action.run(make)}>
        {say('Make a link')}
      </Button>
    </Panel>
  );
}

/** Publication at once or at a time, and its undo. */
export function Publication({ release, reload }: StepProps) {
  const [side, setSide] = useState('');
  const action = useAction();
  const send = (method: string, step: string, body?: object): void =>
    void action
      .run(async () => {
        await ask(method, releaseAt(release.id, step), body ? { body } : {});
      })
      .then((isDone) => isDone && reload());
  const choices = { changed: release.changed, ...onConflict(side) };
  const { state } = release;
  return (
    <Panel title={say('Publication')}>
      <ErrorNotice error={action.error} />
      {(state === 'draft' || state === 'failed') && (
        <>
          <SideSelect mine={say('the release')} value={side} onChange={setSide} />
          <Button kind="primary" isDisabled={action.isBusy} onPress={() => send('POST', 'publish', choices)}>
            {say('Publish')}
          </Button>
          <ServiceForm
            schema={{
              required: ['at'],
              fieldsets: [{ id: 'schedule', title: say('At a time'), fields: ['at'] }],
              properties: { at: { title: say('Time'), type: 'string', factory: 'Date/Time' } },
            }}
            stored={undefined}
            button={say('Publish at this time')}
            save={async (body) => {
              await ask('POST', releaseAt(release.id, 'schedule'), { body: { ...body, ...choices } });
              reload();
            }}
          />
        </>
      )}
      {state === 'scheduled' && (
        <Button isDisabled={action.isBusy} onPress={() => send('DELETE', 'schedule')}>
          {say('Take it from the schedule')}
        </Button>
      )}
      {state === 'published' && (
        <Button isDisabled={action.isBusy} onPress={() => send('POST', 'undo')}>
          {say('Undo')}
        </Button>
      )}
    </Panel>
  );
}
