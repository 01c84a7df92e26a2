import { useMemo, useState } from 'react';
import { useData } from '../lib/data.ts';
import { go, linkTo, route } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { useStore } from '../lib/store.ts';
import { Above } from '../parts/above.tsx';
import { Ready } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Rehearsed } from '../parts/rehearsed.tsx';
import { Select } from '../parts/select.tsx';
import { loadAllRoles } from '../setup/all-roles.ts';
import { RoleTable, type TableRole } from '../setup/role-table.tsx';

type Permission = { id: string; roles: string[] };

/** The body of the request: for each changed permission, the roles that get it and the roles that lose it. */
function changesOf(
  permissions: readonly Permission[],
  drafts: Readonly<Record<string, readonly string[]>>,
): Record<string, Record<string, boolean>> | undefined {
  const changes = permissions.flatMap(({ id, roles }) => {
    const draft = drafts[id] ?? roles;
    const given = draft.filter((role) => !roles.includes(role)).map((role) => [role, true] as const);
    const taken = roles.filter((role) => !draft.includes(role)).map((role) => [role, false] as const);
    return given.length + taken.length === 0 ? [] : [[id, Object.fromEntries([...given, ...taken])] as const];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

type MatrixProps = { permissions: readonly Permission[]; roles: readonly TableRole[]; reload: () => void };

function Matrix({ permissions, roles, reload }: MatrixProps) {
  const role = useStore(route).query.get('role') ?? '';
  const [words, setWords] = useState('');
  const [drafts, setDrafts] = useState<Readonly<Record<string, readonly string[]>>>({});
  const body = useMemo(() => changesOf(permissions, drafts), [permissions, drafts]);
  const shown = role === '' ? roles : roles.filter(({ id }) => id === role);
  const rows = permissions
    .filter(({ id }) => id.toLowerCase().includes(words.toLowerCase()))
    .map(({ id, roles: before }) => ({ id, title: id, before, roles: drafts[id] ?? before }));
  return (
    <>
      <div className="tools">
        <label className="filter grow">
          <span>{say('Find a permission')}</span>
          <input type="search" value={words} onChange={({ target }) => setWords(target.value)} />
        </label>
        <Select
          label={say('Role')}
          value={role}
          options={[['', say('All of them')], ...roles.map(({ id, title }) => [id, title] as const)]}
          onChange={(next) => go(linkTo('permissions', { role: next }))}
        />
      </div>
      <RoleTable
        caption={say('What roles may do')}
        roles={shown}
        rows={rows}
        onChange={(permission, next) => setDrafts({ ...drafts, [permission]: next })}
      />
      <Rehearsed
        method="PATCH"
        service="@permissions"
        body={body}
        onDone={() => {
          setDrafts({});
          reload();
        }}
      />
    </>
  );
}

/** Which role has which permission, where no workflow says something else. */
export default function PermissionsPage() {
  const parts = useData('permissions', async (signal) => {
    const [permissions, roles] = await Promise.all([
      ask<Permission[]>('GET', '@permissions', { signal }),
      loadAllRoles(signal),
    ]);
    return { permissions, roles };
  });
  return (
    <Page
      title={say('What roles may do')}
      above={<Above view="roles" title={say('Roles')} />}
      lead={say('Workflows and sharing say more for single objects.')}
    >
      <Ready of={parts}>{(data) => <Matrix {...data} reload={parts.reload} />}</Ready>
    </Page>
  );
}
