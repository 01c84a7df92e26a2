import { useState } from 'react';
import { useAction } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import { useList } from '../lib/list.ts';
import { go, linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask, pathOf } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNotice, Ready } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { type Column, type Order, Pager, Table } from '../parts/table.tsx';

type Deletion = {
  recycle_id: string;
  '@type': string;
  title: string;
  path: string;
  deleted_by: string;
  deletion_date: string;
  items_count: number;
};

const PAGE_SIZE = 50;

/** Deleted content, and the way back. */
export default function BinPage() {
  const [start, setStart] = useState(0);
  const [words, setWords] = useState('');
  const [order, setOrder] = useState<Order>({ by: 'deletion_date', descending: true });
  const [purging, setPurging] = useState<Deletion>();
  const action = useAction();
  const list = useList<Deletion>('@recyclebin', {
    ...{ b_start: start, b_size: PAGE_SIZE, title: words || undefined },
    ...{ sort_on: order.by, sort_order: order.descending ? 'descending' : 'ascending' },
  });
  const restore = (entry: Deletion): Promise<boolean> =>
    action.run(async () => {
      const { restored_item: restored } = await ask<{ restored_item: { '@id': string } }>(
        'POST',
        `@recyclebin/${entry.recycle_id}/restore`,
        { body: {} },
      );
      go(linkTo('content', { path: pathOf(restored['@id']) }));
    });
  const purge = async (entry: Deletion): Promise<void> => {
    setPurging(undefined);
    if (await action.run(() => ask('DELETE', `@recyclebin/${entry.recycle_id}`))) list.reload();
  };
  const columns: Column<Deletion>[] = [
    {
      id: 'title',
      title: say('Title'),
      sort: 'title',
      cell: ({ title, path }) => (
        <>
          <strong>{title}</strong> <span className="path">{path}</span>
        </>
      ),
    },
    { id: 'type', title: say('Type'), sort: 'portal_type', cell: (entry) => entry['@type'] },
    { id: 'below', title: say('With it'), cell: ({ items_count: total }) => (total === 0 ? '' : total) },
    { id: 'date', title: say('Deleted'), sort: 'deletion_date', cell: ({ deletion_date: date }) => dateTime(date) },
    { id: 'who', title: say('User'), sort: 'deleted_by', cell: ({ deleted_by: who }) => who },
    {
      id: 'do',
      title: '',
      cell: (entry) => (
        <div className="actions">
          <Button
            kind="quiet"
            isDisabled={action.isBusy}
            onPress={() => void restore(entry)}
            label={say('Bring back: {title}', { title: entry.title })}
          >
            {say('Bring back')}
          </Button>
          <Button
            kind="quiet"
            onPress={() => setPurging(entry)}
            label={say('Remove for good: {title}', { title: entry.title })}
          >
            {say('Remove for good')}
          </Button>
        </div>
      ),
    },
  ];
  return (
    <Page title={say('Bin')} lead={say('What was deleted, and can be brought back as it was.')}>
      <SearchBox
        value={words}
        onChange={(next) => {
          setWords(next);
          setStart(0);
        }}
      />
      <ErrorNotice error={action.error} />
      <Ready of={list}>
        {({ rows, total }) => (
          <>
            <Table
              {...{ columns, rows, order, onOrder: setOrder }}
              caption={say('Bin')}
              keyOf={(entry) => entry.recycle_id}
              empty={say('The bin is empty.')}
            />
            <Pager start={start} size={PAGE_SIZE} total={total} onMove={setStart} />
          </>
        )}
      </Ready>
      <Dialog title={say('Remove for good?')} isOpen={purging !== undefined} onClose={() => setPurging(undefined)}>
        {purging && (
          <>
            <p>
              {say('“{title}” and everything that was below it cannot be brought back then.', { title: purging.title })}
            </p>
            <div className="form-end">
              <Button kind="danger" onPress={() => void purge(purging)}>
                {say('Remove for good')}
              </Button>
              <Button onPress={() => setPurging(undefined)}>{say('Cancel')}</Button>
            </div>
          </>
        )}
      </Dialog>
    </Page>
  );
}
