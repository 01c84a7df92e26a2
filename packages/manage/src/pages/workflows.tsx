import { useState } from 'react';
import { ServiceForm } from '../form/form-page.tsx';
import { useData } from '../lib/data.ts';
import { go, linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Above } from '../parts/above.tsx';
import { Entries, NewButton } from '../parts/entries.tsx';
import { Link } from '../parts/link.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { Ready } from '../parts/notice.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { loadAllRoles } from '../setup/all-roles.ts';
import type { Workflow } from '../setup/workflow.ts';
import { WorkflowEditor } from '../setup/workflow-editor.tsx';
import { WorkflowTypes } from '../setup/workflow-types.tsx';

type Entry = Pick<Workflow, 'id' | 'title' | 'description' | 'types'>;

function WorkflowList() {
  const [version, setVersion] = useState(0);
  return (
    <Page
      title={say('Workflows')}
      lead={say('The states of content, the ways between them, and who may do what in each.')}
      actions={<NewButton view="workflows" title={say('New workflow')} />}
    >
      <ServiceTable<Entry>
        service="@workflows"
        isWhole
        version={version}
        caption={say('Workflows')}
        columns={[
          {
            id: 'title',
            title: say('Title'),
            cell: ({ id, title }) => (
              <Link to={linkTo(['workflows', id])} className="name">
                {title}
              </Link>
            ),
          },
          { id: 'description', title: say('Description'), cell: ({ description }) => description },
          { id: 'types', title: say('Types'), cell: ({ types }) => types.join(', ') },
        ]}
        keyOf={({ id }) => id}
      />
      <Panel title={say('Workflows of types')}>
        <WorkflowTypes onChange={() => setVersion(version + 1)} />
      </Panel>
    </Page>
  );
}

function WorkflowPage({ id }: { id: string }) {
  const service = `@workflows/${encodeURIComponent(id)}`;
  const parts = useData(`workflow ${id}`, async (signal) => {
    const [workflow, roles] = await Promise.all([ask<Workflow>('GET', service, { signal }), loadAllRoles(signal)]);
    return { workflow, roles };
  });
  const workflow = parts.data?.workflow;
  return (
    <Page
      title={workflow?.title ?? id}
      lead={workflow?.description}
      above={<Above view="workflows" title={say('Workflows')} />}
      actions={
        <RemoveButton
          name={workflow?.title ?? id}
          remove={() => ask('DELETE', service)}
          onRemoved={() => go(linkTo('workflows'))}
        >
          {say('A workflow goes only when no type has it.')}
        </RemoveButton>
      }
    >
      <Ready of={parts}>
        {(data) => <WorkflowEditor stored={data.workflow} service={service} roles={data.roles} reload={parts.reload} />}
      </Ready>
    </Page>
  );
}

function NewWorkflow() {
  const list = useData('workflows', (signal) => ask<Entry[]>('GET', '@workflows', { signal }));
  return (
    <Page title={say('New workflow')} above={<Above view="workflows" title={say('Workflows')} />}>
      <Ready of={list}>
        {(workflows) => (
          <ServiceForm
            schema={{
              required: ['id', 'copy_of'],
              fieldsets: [{ id: 'workflow', title: say('Workflow'), fields: ['id', 'title', 'copy_of'] }],
              properties: {
                id: { title: say('Short name'), description: say('Letters, digits and _. It stays.'), type: 'string' },
                title: { title: say('Title'), type: 'string' },
                copy_of: {
                  title: say('Begins as a copy of'),
                  type: 'string',
                  choices: workflows.map(({ id, title }) => [id, title] as const),
                },
              },
            }}
            stored={undefined}
            button={say('Create')}
            save={async (body) => {
              const { id } = await ask<Workflow>('POST', '@workflows', { body });
              go(linkTo(['workflows', id]));
            }}
          />
        )}
      </Ready>
    </Page>
  );
}

/** Workflows at run time. */
export default function WorkflowsPage() {
  return <Entries List={WorkflowList} Entry={WorkflowPage} New={NewWorkflow} />;
}
