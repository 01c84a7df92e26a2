import { useState } from 'react';
import { useAction, useData } from '../lib/data.ts';
import { say } from '../lib/say.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice, Notice, Ready } from '../parts/notice.tsx';
import { Badge, Panel } from '../parts/page.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { Select } from '../parts/select.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { placeOf, type SiteObject } from './object.ts';

type RoleValue = boolean | 'global' | 'acquired' | null;
type Entry = { id: string; title: string; type: 'user' | 'group'; roles: Readonly<Record<string, RoleValue>> };
type SharingData = { available_roles: { id: string; title: string }[]; entries: Entry[]; inherit: boolean };

/** Why somebody has a role without a box for it. */
const fromElsewhere = (value: RoleValue): string => (value === 'global' ? say('On the whole site') : say('From above'));

/** Who has which role here: boxes for what is given here, words for what comes from elsewhere. */
function SharingTable({ data, object, onSaved }: { data: SharingData; object: SiteObject; onSaved: () => void }) {
  const [changed, setChanged] = useState<Readonly<Record<string, Entry>>>({});
  const [inherit, setInherit] = useState(data.inherit);
  const action = useAction();
  const rows = data.entries.map((entry) => changed[entry.id] ?? entry);
  const isChanged = Object.keys(changed).length > 0 || inherit !== data.inherit;
  const set = (entry: Entry, role: string, on: boolean): void =>
    setChanged({ ...changed, [entry.id]: { ...entry, roles: { ...entry.roles, [role]: on } } });
  const save = async (): Promise<void> => {
    const entries = Object.values(changed).map(({ id, type, roles }) => ({ id, type, roles }));
    if (await action.run(() => placeOf(object.path).request('POST', '@sharing', { body: { entries, inherit } })))
      onSaved();
  };
  const columns: Column<Entry>[] = [
    {
      id: 'name',
      title: say('Name'),
      cell: ({ title, id, type }) => (
        <>
          {title} {title !== id && <span className="soft">{id}</span>}{' '}
          {type === 'group' && <Badge>{say('Group')}</Badge>}
        </>
      ),
    },
    ...data.available_roles.map((role) => ({
      id: role.id,
      title: role.title,
      cell: (entry: Entry) => {
        const value = entry.roles[role.id] ?? null;
        return typeof value === 'boolean' ? (
          <input
            type="checkbox"
            checked={value}
            aria-label={`${role.title}: ${entry.title}`}
            onChange={({ target }) => set(entry, role.id, target.checked)}
          />
        ) : (
          <span className="soft">{value === null ? '' : fromElsewhere(value)}</span>
        );
      },
    })),
  ];
  return (
    <>
      <Table
        caption={say('Who has which role here')}
        columns={columns}
        rows={rows}
        keyOf={({ id, type }) => `${type} ${id}`}
      />
      <p>
        <label className="box">
          <input type="checkbox" checked={inherit} onChange={({ target }) => setInherit(target.checked)} />
          {say('Roles that are given above count here as well')}
        </label>
      </p>
      <ErrorNotice error={action.error} />
      <div className="form-end">
        <Button kind="primary" isDisabled={!isChanged || action.isBusy} onPress={() => void save()}>
          {say('Save')}
        </Button>
      </div>
    </>
  );
}

type Explanation = {
  allowed: boolean;
  message: string;
  roles: {
    id: string;
    title: string;
    grants: boolean;
    sources: { from: string; at?: { title: string }; principal?: { title: string } }[];
  }[];
  changes?: { message: string }[];
};

/** Permissions that people ask about, with their names in the forms of the site. */
const ASKED = [
  ['View', 'View'],
  ['Modify portal content', 'Edit'],
  ['Add portal content', 'Add content'],
  ['Delete objects', 'Delete'],
] as const;

/** Says why somebody may do something here, or not, and what would turn it. */
function Explain({ object, people }: { object: SiteObject; people: readonly Entry[] }) {
  const users = people.filter(({ type }) => type === 'user');
  const [user, setUser] = useState('');
  const [permission, setPermission] = useState<string>('View');
  const answer = useData(`explain ${object.path} ${user} ${permission}`, (signal) =>
    placeOf(object.path).request<Explanation>('GET', '@explain-access', {
      signal,
      query: { permission, user: user || undefined },
    }),
  );
  return (
    <Panel title={say('Why somebody may do something here')}>
      <div className="tools">
        <Select
          label={say('User')}
          value={user}
          options={[
            ['', say('I myself')],
            ['Anonymous', say('Visitors')],
            ...users.map(({ id, title }) => [id, title] as const),
          ]}
          onChange={setUser}
        />
        <Select
          label={say('Permission')}
          value={permission}
          options={ASKED.map(([id, title]) => [id, say(title)])}
          onChange={setPermission}
        />
      </div>
      <Ready of={answer}>
        {({ allowed, message, roles, changes = [] }) => (
          <>
            <p>
              <Badge kind={allowed ? 'good' : 'bad'}>{allowed ? say('Allowed') : say('Not allowed')}</Badge> {message}
            </p>
            <ul>
              {roles
                .filter(({ grants }) => grants)
                .map(({ id, title, sources }) => (
                  <li key={id}>
                    {title}
                    {sources
                      .map(({ principal, at }) => [principal?.title, at?.title].filter(Boolean).join(', '))
                      .filter(Boolean).length > 0 &&
                      ` (${sources.map(({ principal, at }) => [principal?.title, at?.title].filter(Boolean).join(', ')).join('; ')})`}
                  </li>
                ))}
            </ul>
            {changes.length > 0 && (
              <>
                <h3>{say('What would turn it')}</h3>
                <ul>
                  {changes.map((change) => (
                    <li key={change.message}>{change.message}</li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </Ready>
    </Panel>
  );
}

/** Local roles of an object. */
export function Sharing({ object }: { object: SiteObject }) {
  const [words, setWords] = useState('');
  const [isSaved, setSaved] = useState(false);
  const sharing = useData(`sharing ${object.path} ${words}`, (signal) =>
    placeOf(object.path).request<SharingData>('GET', '@sharing', { signal, query: { search: words || undefined } }),
  );
  return (
    <>
      <SearchBox value={words} label={say('Find users and groups')} onChange={setWords} />
      {isSaved && <Notice kind="good">{say('Saved.')}</Notice>}
      <Ready of={sharing}>
        {(data) => (
          <>
            <SharingTable
              key={JSON.stringify(data)}
              {...{ data, object }}
              onSaved={() => {
                setSaved(true);
                sharing.reload();
              }}
            />
            <Explain object={object} people={data.entries} />
          </>
        )}
      </Ready>
    </>
  );
}
