import { ServiceForm } from '../form/form-page.tsx';
import type { FieldSchema, FormSchema } from '../form/schema.ts';
import { useData } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import { go, linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Above } from '../parts/above.tsx';
import { Entries, NewButton } from '../parts/entries.tsx';
import { Link } from '../parts/link.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { Ready } from '../parts/notice.tsx';
import { Badge, Page } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import type { Column } from '../parts/table.tsx';
import { type Role, roleChanges, rolesField } from '../people/roles.ts';

type User = {
  id: string;
  username: string;
  fullname: string | null;
  email: string | null;
  roles: string[];
  enabled: boolean;
  last_login: string | null;
  second_factor: boolean;
};
function UserList() {
  const columns: Column<User>[] = [
    {
      id: 'name',
      title: say('Name'),
      cell: ({ id, username, fullname }) => (
        <>
          <Link to={linkTo(['users', id])} className="name">
            {fullname || username}
          </Link>{' '}
          <span className="soft">{username}</span>
        </>
      ),
    },
    { id: 'email', title: say('E-mail'), cell: ({ email }) => email },
    { id: 'roles', title: say('Roles'), cell: ({ roles }) => roles.filter((role) => role !== 'Member').join(', ') },
    { id: 'last', title: say('Last login'), cell: ({ last_login: last }) => dateTime(last) },
    {
      id: 'state',
      title: say('State'),
      cell: ({ enabled, second_factor: factor }) => (
        <>
          {!enabled && <Badge kind="bad">{say('Disabled')}</Badge>}{' '}
          {factor && <Badge kind="good">{say('Second factor')}</Badge>}
        </>
      ),
    },
  ];
  return (
    <Page title={say('Users')} actions={<NewButton view="users" title={say('New user')} />}>
      <ServiceTable<User>
        service="@users"
        searchBy="search"
        caption={say('Users')}
        columns={columns}
        keyOf={({ id }) => id}
      />
    </Page>
  );
}

const schemaOfUsers = async (signal: AbortSignal): Promise<{ schema: FormSchema; roles: Role[] }> => {
  const [schema, roles] = await Promise.all([
    ask<FormSchema>('GET', '@userschema', { signal }),
    ask<Role[]>('GET', '@roles', { signal }),
  ]);
  return { schema, roles };
};

/** The schema of users with fields of the account. */
const withAccount = (
  schema: FormSchema,
  fields: Readonly<Record<string, FieldSchema>>,
  required: readonly string[],
): FormSchema => ({
  required,
  fieldsets: [
    { id: 'account', title: say('Account'), fields: Object.keys(fields) },
    ...schema.fieldsets.map((set) => ({ ...set, fields: set.fields.filter((name) => name !== 'portrait') })),
  ],
  properties: { ...schema.properties, ...fields },
});

function NewUser() {
  const parts = useData('new user', schemaOfUsers);
  return (
    <Page title={say('New user')} above={<Above view="users" title={say('Users')} />}>
      <Ready of={parts}>
        {({ schema, roles }) => (
          <ServiceForm
            schema={withAccount(
              schema,
              {
                username: { title: say('Login name'), type: 'string' },
                password: {
                  title: say('Password'),
                  type: 'string',
                  factory: 'Password',
                  description: say('Empty: the user gets a mail with a link to choose one.'),
                },
                roles: rolesField(roles),
              },
              ['username'],
            )}
            stored={undefined}
            button={say('Create')}
            save={async (changes) => {
              const sendPasswordReset = !changes.password;
              const { id } = await ask<User>('POST', '@users', { body: { ...changes, sendPasswordReset } });
              go(linkTo(['users', id]));
            }}
          />
        )}
      </Ready>
    </Page>
  );
}

function UserPage({ id }: { id: string }) {
  const service = `@users/${encodeURIComponent(id)}`;
  const parts = useData(`user ${id}`, async (signal) => {
    const [user, more] = await Promise.all([ask<User>('GET', service, { signal }), schemaOfUsers(signal)]);
    return { user, ...more };
  });
  const user = parts.data?.user;
  return (
    <Page
      title={user ? user.fullname || user.username : id}
      lead={user?.username}
      above={<Above view="users" title={say('Users')} />}
      actions={
        user && (
          <RemoveButton
            name={user.fullname || user.username}
            remove={() => ask('DELETE', service)}
            onRemoved={() => go(linkTo('users'))}
          >
            {say('The account goes for good. What the user has made stays.')}
          </RemoveButton>
        )
      }
    >
      <Ready of={parts}>
        {(data) => (
          <ServiceForm
            schema={withAccount(
              data.schema,
              {
                username: { title: say('Login name'), type: 'string' },
                enabled: { title: say('May log in'), type: 'boolean' },
                roles: rolesField(data.roles),
              },
              ['username'],
            )}
            stored={data.user}
            save={({ roles, ...changes }) =>
              ask('PATCH', service, {
                body: { ...changes, ...(Array.isArray(roles) ? { roles: roleChanges(data.user.roles, roles) } : {}) },
              })
            }
            onSaved={parts.reload}
          />
        )}
      </Ready>
    </Page>
  );
}

export default function UsersPage() {
  return <Entries List={UserList} Entry={UserPage} New={NewUser} />;
}
