import { useState } from 'react';
import { useAction, useData } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import { say } from '../lib/say.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNotice, Loading, Ready } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { placeOf, type SiteObject } from './object.ts';

type Event = {
  type: 'versioning' | 'workflow';
  version?: number;
  action: string;
  transition_title: string;
  actor: { fullname: string; id: string };
  time: string;
  comments: string | null;
  changed_fields?: string[];
  may_revert?: boolean;
  state_title?: string;
};
type Difference = { name: string; title: string; from: unknown; to: unknown };

const asText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 1);

/** The fields that a version has changed. */
function Differences({ object, version }: { object: SiteObject; version: number }) {
  const diff = useData(`diff ${object.path} ${version}`, (signal) =>
    placeOf(object.path).request<{ items: Difference[] }>('GET', `@history/${version - 1}/diff/${version}`, { signal }),
  );
  if (diff.data === undefined) return diff.error === undefined ? <Loading /> : <ErrorNotice error={diff.error} />;
  return (
    <Table<Difference>
      caption={say('What was changed')}
      columns={[
        { id: 'field', title: say('Field'), cell: ({ title, name }) => title || name },
        { id: 'from', title: say('Before'), cell: ({ from }) => <del className="value">{asText(from)}</del> },
        { id: 'to', title: say('After'), cell: ({ to }) => <ins className="value">{asText(to)}</ins> },
      ]}
      rows={diff.data.items}
      keyOf={({ name }) => name}
      empty={say('No field was changed.')}
    />
  );
}

/** Versions and states of an object, the newest first: what was changed, and the way back. */
export function History({ object, reload }: { object: SiteObject; reload: () => void }) {
  const [shown, setShown] = useState<number>();
  const action = useAction();
  const history = useData(`history ${object.path}`, (signal) =>
    placeOf(object.path).request<Event[]>('GET', '@history', { signal }),
  );
  const newest = Math.max(-1, ...(history.data ?? []).map(({ version = -1 }) => version));
  const revert = async (version: number): Promise<void> => {
    const done = await action.run(() => placeOf(object.path).request('PATCH', '@history', { body: { version } }));
    if (!done) return;
    history.reload();
    reload();
  };
  const columns: Column<Event>[] = [
    { id: 'time', title: say('Time'), cell: ({ time }) => dateTime(time) },
    { id: 'who', title: say('User'), cell: ({ actor }) => actor.fullname || actor.id },
    {
      id: 'what',
      title: say('What'),
      cell: ({ transition_title: title, state_title: state, changed_fields: fields = [], comments }) => (
        <>
          {title}
          {state && ` → ${state}`}
          {fields.length > 0 && <span className="soft"> {fields.join(', ')}</span>}
          {comments && <div className="soft">{comments}</div>}
        </>
      ),
    },
    {
      id: 'do',
      title: '',
      cell: ({ version, may_revert: mayRevert }) =>
        version !== undefined && (
          <div className="actions">
            {version > 0 && (
              <Button kind="quiet" onPress={() => setShown(version)}>
                {say('Differences')}
              </Button>
            )}
            {mayRevert && version < newest && (
              <Button kind="quiet" isDisabled={action.isBusy} onPress={() => void revert(version)}>
                {say('Back to this')}
              </Button>
            )}
          </div>
        ),
    },
  ];
  return (
    <>
      <ErrorNotice error={action.error} />
      <Ready of={history}>
        {(events) => (
          <Table
            caption={say('History')}
            columns={columns}
            rows={events}
            keyOf={({ type, time, version, action: what }) => `${type} ${time} ${version} ${what}`}
          />
        )}
      </Ready>
      <Dialog title={say('What was changed')} isOpen={shown !== undefined} onClose={() => setShown(undefined)}>
        {shown !== undefined && <Differences object={object} version={shown} />}
      </Dialog>
    </>
  );
}
