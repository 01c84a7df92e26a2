import { ServiceForm } from '../form/form-page.tsx';
import type { FormSchema } from '../form/schema.ts';
import { useData } from '../lib/data.ts';
import { go, linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Above } from '../parts/above.tsx';
import { Entries, NewButton } from '../parts/entries.tsx';
import { Link } from '../parts/link.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { Ready } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';

type RoleEntry = { id: string; title: string; description?: string };

const schemaOf = (isNew: boolean): FormSchema => ({
  required: ['title'],
  fieldsets: [{ id: 'role', title: say('Role'), fields: [...(isNew ? ['id'] : []), 'title', 'description'] }],
  properties: {
    id: { title: say('Short name'), description: say('The title when empty. It stays.'), type: 'string' },
    title: { title: say('Title'), type: 'string', default: '' },
    description: { title: say('Description'), type: 'string', factory: 'Text', default: '' },
  },
});

const RoleList = () => (
  <Page
    title={say('Roles')}
    lead={<Link to={linkTo('permissions')}>{say('What roles may do')}</Link>}
    actions={<NewButton view="roles" title={say('New role')} />}
  >
    <ServiceTable<RoleEntry>
      service="@roles"
      isWhole
      caption={say('Roles')}
      columns={[
        {
          id: 'title',
          title: say('Title'),
          cell: ({ id, title }) => (
            <Link to={linkTo(['roles', id])} className="name">
              {title}
            </Link>
          ),
        },
        { id: 'id', title: say('Short name'), cell: ({ id }) => id },
      ]}
      keyOf={({ id }) => id}
    />
  </Page>
);

function RolePage({ id }: { id: string }) {
  const service = `@roles/${encodeURIComponent(id)}`;
  const role = useData(`role ${id}`, (signal) => ask<RoleEntry>('GET', service, { signal }));
  return (
    <Page
      title={role.data?.title ?? id}
      lead={id}
      above={<Above view="roles" title={say('Roles')} />}
      actions={
        <RemoveButton name={id} remove={() => ask('DELETE', service)} onRemoved={() => go(linkTo('roles'))}>
          {say('A role goes only when nobody has it, and no workflow and no rule names it.')}
        </RemoveButton>
      }
    >
      <Ready of={role}>
        {(data) => (
          <ServiceForm
            schema={schemaOf(false)}
            stored={{ description: '', ...data }}
            save={(body) => ask('PATCH', service, { body })}
            onSaved={role.reload}
          />
        )}
      </Ready>
      <p>
        <Link to={linkTo('permissions', { role: id })}>{say('What this role may do')}</Link>
      </p>
    </Page>
  );
}

const NewRole = () => (
  <Page title={say('New role')} above={<Above view="roles" title={say('Roles')} />}>
    <ServiceForm
      schema={schemaOf(true)}
      stored={undefined}
      button={say('Create')}
      save={async ({ id, ...changes }) => {
        const made = await ask<RoleEntry>('POST', '@roles', { body: { ...changes, ...(id ? { id } : {}) } });
        go(linkTo('permissions', { role: made.id }));
      }}
    />
  </Page>
);

/** The roles of the site. */
export default function RolesPage() {
  return <Entries List={RoleList} Entry={RolePage} New={NewRole} />;
}
