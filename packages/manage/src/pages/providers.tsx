import { ServiceForm } from '../form/form-page.tsx';
import type { FieldSchema, FormSchema, Values } from '../form/schema.ts';
import { useData } from '../lib/data.ts';
import { go, linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Above } from '../parts/above.tsx';
import { Entries, NewButton } from '../parts/entries.tsx';
import { Link } from '../parts/link.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { Notice, Ready } from '../parts/notice.tsx';
import { Badge, Page } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';

type Provider = Values & {
  id: string;
  title: string;
  issuer: string;
  enabled: boolean;
  has_secret: boolean;
  source: string;
  redirect_uri: string;
};

const PANEL = '@controlpanels/login-providers';

const schemaOf = (isNew: boolean): FormSchema => {
  const line = (title: string): FieldSchema => ({ title, type: 'string' });
  return {
    required: ['title', 'issuer', 'client_id', ...(isNew ? ['id'] : [])],
    fieldsets: [
      {
        id: 'provider',
        title: say('Login provider'),
        fields: [...(isNew ? ['id'] : []), 'title', 'issuer', 'client_id', 'client_secret', 'enabled'],
      },
      { id: 'people', title: say('People'), fields: ['create_users', 'link_by_email', 'groups_claim', 'roles'] },
      {
        id: 'claims',
        title: say('Claims'),
        fields: ['scope', 'name_claim', 'fullname_claim', 'email_claim', 'roles_claim'],
      },
    ],
    properties: {
      id: { ...line(say('Short name')), description: say('Part of addresses. It stays.') },
      title: { ...line(say('Title')), description: say('What it is called where people log in.') },
      issuer: { ...line(say('Address')), description: say('As the provider names itself.') },
      client_id: line(say('Name of this site there')),
      client_secret: { ...line(say('Secret')), factory: 'Password', description: say('Empty leaves it as it is.') },
      enabled: { title: say('People can log in with it'), type: 'boolean', default: true },
      create_users: { title: say('Who has no account gets one'), type: 'boolean', default: false },
      link_by_email: {
        title: say('A verified e-mail address is enough to get the account that has it'),
        type: 'boolean',
        default: false,
      },
      groups_claim: { ...line(say('Claim with groups')), description: say('Groups are left alone when empty.') },
      roles: {
        title: say('Roles by values of their claim'),
        description: say('JSON: a role for each value.'),
        type: 'dict',
        default: {},
      },
      scope: line(say('What is asked for')),
      name_claim: line(say('Claim with the login name')),
      fullname_claim: line(say('Claim with the full name')),
      email_claim: line(say('Claim with the e-mail address')),
      roles_claim: line(say('Claim with roles')),
    },
  };
};

const ProviderList = () => (
  <Page
    title={say('Login providers')}
    lead={say('Accounts elsewhere that people log in with (OpenID Connect).')}
    actions={<NewButton view="providers" title={say('New provider')} />}
  >
    <ServiceTable<Provider>
      service={PANEL}
      isWhole
      caption={say('Login providers')}
      columns={[
        {
          id: 'title',
          title: say('Title'),
          cell: ({ id, title }) => (
            <Link to={linkTo(['providers', id])} className="name">
              {title}
            </Link>
          ),
        },
        { id: 'issuer', title: say('Address'), cell: ({ issuer }) => <span className="path">{issuer}</span> },
        {
          id: 'state',
          title: say('State'),
          cell: ({ enabled }) =>
            enabled ? <Badge kind="good">{say('Is on')}</Badge> : <Badge>{say('Switched off')}</Badge>,
        },
      ]}
      keyOf={({ id }) => id}
      empty={say('There is nothing here yet.')}
    />
  </Page>
);

function ProviderPage({ id }: { id: string }) {
  const service = `${PANEL}/${encodeURIComponent(id)}`;
  const provider = useData(`provider ${id}`, (signal) => ask<Provider>('GET', service, { signal }));
  const isOwn = provider.data?.source !== 'environment';
  return (
    <Page
      title={provider.data?.title ?? id}
      lead={provider.data && <span className="path">{provider.data.redirect_uri}</span>}
      above={<Above view="providers" title={say('Login providers')} />}
      actions={
        isOwn && (
          <RemoveButton name={id} remove={() => ask('DELETE', service)} onRemoved={() => go(linkTo('providers'))}>
            {say('Nobody can log in with it any more. The accounts stay.')}
          </RemoveButton>
        )
      }
    >
      <Ready of={provider}>
        {(data) =>
          isOwn ? (
            <ServiceForm
              schema={schemaOf(false)}
              stored={data}
              save={(body) => ask('PATCH', service, { body })}
              onSaved={provider.reload}
            />
          ) : (
            <Notice kind="info">{say('This provider is described by the settings of the server.')}</Notice>
          )
        }
      </Ready>
    </Page>
  );
}

const NewProvider = () => (
  <Page title={say('New provider')} above={<Above view="providers" title={say('Login providers')} />}>
    <ServiceForm
      schema={schemaOf(true)}
      stored={undefined}
      button={say('Create')}
      save={async (body) => {
        const { id } = await ask<Provider>('POST', PANEL, { body });
        go(linkTo(['providers', id]));
      }}
    />
  </Page>
);

/** Providers of logins. */
export default function ProvidersPage() {
  return <Entries List={ProviderList} Entry={ProviderPage} New={NewProvider} />;
}
