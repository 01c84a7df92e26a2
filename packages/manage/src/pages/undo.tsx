import { useState } from 'react';
import type { ViewProps } from '../app.tsx';
import { useAction } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { ErrorNotice, Notice } from '../parts/notice.tsx';
import { Badge, Page } from '../parts/page.tsx';

type Transaction = {
  id: string;
  description: string;
  path: string;
  time: string;
  username: string;
  undone: boolean;
  undoable: boolean;
  obstacle: string | null;
};

/** The changes of the site, the newest first, with undo. */
export default function UndoPage({ me }: ViewProps) {
  const [version, setVersion] = useState(0);
  const [path, setPath] = useState('');
  const [user, setUser] = useState('');
  const [isDone, setDone] = useState(false);
  const action = useAction();
  const undo = async ({ id }: Transaction): Promise<void> => {
    const done = await action.run(() => ask('PATCH', '@transactions', { body: { transaction_ids: [id] } }));
    setDone(done);
    if (done) setVersion(version + 1);
  };
  return (
    <Page title={say('Undo')} lead={say('What was changed on the site, the newest first.')}>
      <ErrorNotice error={action.error} />
      {isDone && <Notice kind="good">{say('It is undone. That can be undone as well.')}</Notice>}
      <div className="tools">
        <label className="filter grow">
          <span>{say('Path')}</span>
          <input value={path} onChange={({ target }) => setPath(target.value)} />
        </label>
        <label className="filter">
          <span>{say('User')}</span>
          <input value={user} onChange={({ target }) => setUser(target.value)} />
        </label>
      </div>
      <ServiceTable<Transaction>
        key={`${path} ${user}`}
        service="@transactions"
        query={{ path: path.startsWith('/') ? path : undefined, username: user || undefined }}
        version={version}
        caption={say('Undo')}
        columns={[
          { id: 'time', title: say('Time'), cell: ({ time }) => dateTime(time) },
          { id: 'who', title: say('User'), cell: ({ username }) => username },
          {
            id: 'what',
            title: say('What'),
            cell: ({ path: place, description }) => (
              <>
                <span className="path">{place}</span> {description.split('\n').slice(1).join(' ')}
              </>
            ),
          },
          {
            id: 'state',
            title: say('State'),
            cell: ({ undone, undoable, obstacle }) =>
              undone ? <Badge>{say('Undone')}</Badge> : !undoable && <span className="soft">{obstacle}</span>,
          },
          ...(me.may.undo
            ? [
                {
                  id: 'do',
                  title: '',
                  cell: (one: Transaction) =>
                    one.undoable &&
                    !one.undone && (
                      <Button
                        kind="quiet"
                        isDisabled={action.isBusy}
                        label={say('Undo: {name}', { name: one.description.replaceAll('\n', ' ') })}
                        onPress={() => void undo(one)}
                      >
                        {say('Undo')}
                      </Button>
                    ),
                },
              ]
            : []),
        ]}
        keyOf={({ id }) => id}
        empty={say('Nothing was changed yet.')}
      />
    </Page>
  );
}
