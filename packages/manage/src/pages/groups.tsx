import { useState } from 'react';
import { ServiceForm } from '../form/form-page.tsx';
import type { FormSchema } from '../form/schema.ts';
import { useAction, useData } from '../lib/data.ts';
import { go, linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Above } from '../parts/above.tsx';
import { Button } from '../parts/button.tsx';
import { Entries, NewButton } from '../parts/entries.tsx';
import { Link } from '../parts/link.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { ErrorNotice, Ready } from '../parts/notice.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { type Role, rolesField } from '../people/roles.ts';

type Group = {
  id: string;
  title: string;
  description: string;
  email: string;
  roles: string[];
  members: { items: (string | { id: string })[]; items_total: number };
};

const schemaOf = (roles: readonly Role[], isNew: boolean): FormSchema => ({
  required: isNew ? ['groupname'] : [],
  fieldsets: [
    {
      id: 'group',
      title: say('Group'),
      fields: [...(isNew ? ['groupname'] : []), 'title', 'description', 'email', 'roles'],
    },
  ],
  properties: {
    groupname: { title: say('Short name'), type: 'string' },
    title: { title: say('Title'), type: 'string', default: '' },
    description: { title: say('Description'), type: 'string', factory: 'Text', default: '' },
    email: { title: say('E-mail'), type: 'string', factory: 'Email', default: '' },
    roles: rolesField(roles),
  },
});

const GroupList = () => (
  <Page title={say('Groups')} actions={<NewButton view="groups" title={say('New group')} />}>
    <ServiceTable<Group>
      service="@groups"
      searchBy="query"
      caption={say('Groups')}
      columns={[
        {
          id: 'title',
          title: say('Title'),
          cell: ({ id, title }) => (
            <Link to={linkTo(['groups', id])} className="name">
              {title || id}
            </Link>
          ),
        },
        { id: 'description', title: say('Description'), cell: ({ description }) => description },
        {
          id: 'roles',
          title: say('Roles'),
          cell: ({ roles }) => roles.filter((role) => role !== 'Authenticated').join(', '),
        },
      ]}
      keyOf={({ id }) => id}
    />
  </Page>
);

const memberId = (member: string | { id: string }): string => (typeof member === 'string' ? member : member.id);

/** The members of a group, with a way to take in others by their ids. */
function Members({ group, reload }: { group: Group; reload: () => void }) {
  const [id, setId] = useState('');
  const action = useAction();
  const change = async (users: Readonly<Record<string, boolean>>): Promise<void> => {
    if (!(await action.run(() => ask('PATCH', `@groups/${encodeURIComponent(group.id)}`, { body: { users } })))) return;
    setId('');
    reload();
  };
  return (
    <Panel title={say('Members')}>
      <ErrorNotice error={action.error} />
      <ul className="chosen">
        {group.members.items.map(memberId).map((member) => (
          <li key={member}>
            <Link to={linkTo(['users', member])}>{member}</Link>
            <Button
              kind="quiet"
              label={say('Remove {name}', { name: member })}
              onPress={() => void change({ [member]: false })}
            >
              ×
            </Button>
          </li>
        ))}
      </ul>
      {group.members.items_total > group.members.items.length && (
        <p className="soft">
          {say('More of them: {total}', { total: group.members.items_total - group.members.items.length })}
        </p>
      )}
      <form
        className="tools"
        onSubmit={(event) => {
          event.preventDefault();
          if (id.trim() !== '') void change({ [id.trim()]: true });
        }}
      >
        <label className="filter grow">
          <span>{say('Id of a user')}</span>
          <input value={id} onChange={({ target }) => setId(target.value)} />
        </label>
        <Button type="submit" isDisabled={action.isBusy || id.trim() === ''}>
          {say('Take in')}
        </Button>
      </form>
    </Panel>
  );
}

function GroupPage({ id }: { id: string }) {
  const service = `@groups/${encodeURIComponent(id)}`;
  const parts = useData(`group ${id}`, async (signal) => {
    const [group, roles] = await Promise.all([
      ask<Group>('GET', service, { signal, query: { b_size: 100 } }),
      ask<Role[]>('GET', '@roles', { signal }),
    ]);
    return { group, roles };
  });
  return (
    <Page
      title={parts.data?.group.title || id}
      lead={id}
      above={<Above view="groups" title={say('Groups')} />}
      actions={
        <RemoveButton name={id} remove={() => ask('DELETE', service)} onRemoved={() => go(linkTo('groups'))}>
          {say('Its members stay, and lose the roles that the group has given.')}
        </RemoveButton>
      }
    >
      <Ready of={parts}>
        {({ group, roles }) => (
          <>
            <ServiceForm
              schema={schemaOf(roles, false)}
              stored={group}
              save={(body) => ask('PATCH', service, { body })}
              onSaved={parts.reload}
            />
            <Members group={group} reload={parts.reload} />
          </>
        )}
      </Ready>
    </Page>
  );
}

function NewGroup() {
  const roles = useData('roles', (signal) => ask<Role[]>('GET', '@roles', { signal }));
  return (
    <Page title={say('New group')} above={<Above view="groups" title={say('Groups')} />}>
      <Ready of={roles}>
        {(data) => (
          <ServiceForm
            schema={schemaOf(data, true)}
            stored={undefined}
            button={say('Create')}
            save={async (body) => {
              const { id } = await ask<Group>('POST', '@groups', { body });
              go(linkTo(['groups', id]));
            }}
          />
        )}
      </Ready>
    </Page>
  );
}

export default function GroupsPage() {
  return <Entries List={GroupList} Entry={GroupPage} New={NewGroup} />;
}
