import { useState } from 'react';
import { useData } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { Ready } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { type Column, Table } from '../parts/table.tsx';

type Entry = {
  id: number;
  time: string;
  count: number;
  user: string | null;
  address: string | null;
  action: string;
  path: string;
  name: string;
  details: Readonly<Record<string, unknown>>;
};
type Body = { items: Entry[]; batching?: { next: string } };

const PAGE_SIZE = 50;

/** The details of an entry in one line. */
const detailsOf = ({ name, details }: Entry): string =>
  [
    name,
    ...Object.entries(details).map(
      ([key, value]) =>
        `${key}: ${Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
    ),
  ]
    .filter((part) => part !== '')
    .join(' · ');

/** Who did what, when and from where, the newest first. */
export default function AuditPage() {
  const [filter, setFilter] = useState({ user: '', action: '', path: '' });
  /** The ids of the entries that each page so far begins before. */
  const [marks, setMarks] = useState<readonly number[]>([]);
  const before = marks.at(-1);
  const query = {
    b_size: PAGE_SIZE,
    before,
    user: filter.user || undefined,
    action: filter.action || undefined,
    path: filter.path || undefined,
  };
  const list = useData(`audit ${JSON.stringify(query)}`, (signal) => ask<Body>('GET', '@audit-log', { signal, query }));
  const columns: Column<Entry>[] = [
    { id: 'time', title: say('Time'), cell: ({ time }) => dateTime(time) },
    { id: 'who', title: say('User'), cell: ({ user }) => user ?? say('Visitor') },
    { id: 'action', title: say('What'), cell: ({ action, count }) => (count > 1 ? `${action} × ${count}` : action) },
    { id: 'path', title: say('Path'), cell: ({ path }) => <span className="path">{path}</span> },
    { id: 'details', title: say('Details'), cell: detailsOf },
    { id: 'address', title: say('From'), cell: ({ address }) => address },
  ];
  const fields = [
    ['user', say('User')],
    ['action', say('Action')],
    ['path', say('Path')],
  ] as const;
  return (
    <Page title={say('Audit log')} lead={say('Who did what, when and from where.')}>
      <div className="tools">
        {fields.map(([name, title]) => (
          <label key={name} className="filter">
            <span>{title}</span>
            <input
              value={filter[name]}
              onChange={({ target }) => {
                setFilter({ ...filter, [name]: target.value });
                setMarks([]);
              }}
            />
          </label>
        ))}
      </div>
      <Ready of={list}>
        {({ items, batching }) => (
          <>
            <Table caption={say('Audit log')} columns={columns} rows={items} keyOf={({ id }) => String(id)} />
            <nav className="pager" aria-label={say('Pages of the list')}>
              <Button kind="quiet" isDisabled={marks.length === 0} onPress={() => setMarks(marks.slice(0, -1))}>
                {say('Back')}
              </Button>
              <Button
                kind="quiet"
                isDisabled={batching === undefined}
                onPress={() => setMarks([...marks, items.at(-1)?.id ?? 0])}
              >
                {say('Next')}
              </Button>
            </nav>
          </>
        )}
      </Ready>
    </Page>
  );
}
