import { ServiceForm } from '../form/form-page.tsx';
import type { FormSchema, Values } from '../form/schema.ts';
import { useData } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import { useList } from '../lib/list.ts';
import { go, linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Above } from '../parts/above.tsx';
import { Entries, NewButton } from '../parts/entries.tsx';
import { Link } from '../parts/link.tsx';
import { Ready } from '../parts/notice.tsx';
import { Badge, Page, Panel } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { Table } from '../parts/table.tsx';
import { type RuleFolder, RuleFolders } from '../setup/rule-folders.tsx';
import { type Kind, type Part, RuleParts } from '../setup/rule-parts.tsx';
import { TrialRun } from '../setup/trial-run.tsx';

type RuleEntry = { id: string; title: string; event: string; enabled: boolean; assigned: boolean; failures: number };
type Rule = Omit<RuleEntry, 'failures'> &
  Values & {
    conditions: Part[];
    actions: Part[];
    addable_conditions: Kind[];
    addable_actions: Kind[];
    assignments: RuleFolder[];
    failures: { count: number; items: { time: string; path: string; message: string }[] };
    webhooks: { waiting: number };
  };

const PANEL = '@controlpanels/content-rules';

const schemaOf = (): FormSchema => ({
  required: ['title', 'event'],
  fieldsets: [
    {
      id: 'rule',
      title: say('Rule'),
      fields: ['title', 'description', 'event', 'enabled', 'stop', 'cascading'],
    },
  ],
  properties: {
    title: { title: say('Title'), type: 'string', default: '' },
    description: { title: say('Description'), type: 'string', factory: 'Text', default: '' },
    event: {
      title: say('When'),
      type: 'string',
      vocabulary: { '@id': '@vocabularies/plone.contentrules.events' },
    },
    enabled: { title: say('Is on'), type: 'boolean', default: true },
    stop: { title: say('No other rules after it'), type: 'boolean', default: false },
    cascading: { title: say('What it does may start other rules'), type: 'boolean', default: false },
  },
});

function RuleList() {
  const list = useList<RuleEntry[]>(PANEL);
  return (
    <Page
      title={say('Rules')}
      lead={say('What the site does by itself when something happens.')}
      actions={<NewButton view="rules" title={say('New rule')} />}
    >
      <Ready of={list}>
        {({ rows }) => (
          <Table<RuleEntry>
            caption={say('Rules')}
            columns={[
              {
                id: 'title',
                title: say('Title'),
                cell: ({ id, title }) => (
                  <Link to={linkTo(['rules', id])} className="name">
                    {title}
                  </Link>
                ),
              },
              { id: 'event', title: say('When'), cell: ({ event }) => event },
              {
                id: 'state',
                title: say('State'),
                cell: ({ enabled, assigned, failures }) => (
                  <>
                    {!enabled && <Badge>{say('Switched off')}</Badge>}{' '}
                    {!assigned && <Badge>{say('No folder has it')}</Badge>}{' '}
                    {failures > 0 && <Badge kind="bad">{say('Failures: {total}', { total: failures })}</Badge>}
                  </>
                ),
              },
            ]}
            rows={rows.flat()}
            keyOf={({ id }) => id}
          />
        )}
      </Ready>
    </Page>
  );
}

function RulePage({ id }: { id: string }) {
  const service = `${PANEL}/${encodeURIComponent(id)}`;
  const rule = useData(`rule ${id}`, (signal) => ask<Rule>('GET', service, { signal }));
  const { reload } = rule;
  return (
    <Page
      title={rule.data?.title ?? id}
      above={<Above view="rules" title={say('Rules')} />}
      actions={
        <RemoveButton
          name={rule.data?.title ?? id}
          remove={() => ask('DELETE', service)}
          onRemoved={() => go(linkTo('rules'))}
        />
      }
    >
      <Ready of={rule}>
        {(data) => (
          <>
            <ServiceForm
              schema={schemaOf()}
              stored={data}
              save={(body) => ask('PATCH', service, { body })}
              onSaved={reload}
            />
            <RuleParts
              title={say('Conditions: all of them must hold')}
              button={say('Add a condition')}
              service={`${service}/condition`}
              parts={data.conditions}
              kinds={data.addable_conditions}
              onChange={reload}
            />
            <RuleParts
              title={say('Actions, one after the other')}
              button={say('Add an action')}
              service={`${service}/action`}
              parts={data.actions}
              kinds={data.addable_actions}
              onChange={reload}
            />
            <RuleFolders rule={id} folders={data.assignments} onChange={reload} />
            <TrialRun />
            {data.failures.count > 0 && (
              <Panel title={say('Failures')}>
                <ul className="bare">
                  {data.failures.items.map(({ time, path, message }, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
                    <li key={index}>
                      {dateTime(time)} <span className="path">{path}</span> {message}
                    </li>
                  ))}
                </ul>
              </Panel>
            )}
          </>
        )}
      </Ready>
    </Page>
  );
}

const NewRule = () => (
  <Page title={say('New rule')} above={<Above view="rules" title={say('Rules')} />}>
    <ServiceForm
      schema={schemaOf()}
      stored={undefined}
      button={say('Create')}
      save={async (body) => {
        const { id } = await ask<RuleEntry>('POST', PANEL, { body });
        go(linkTo(['rules', id]));
      }}
    />
  </Page>
);

/** Content rules. */
export default function RulesPage() {
  return <Entries List={RuleList} Entry={RulePage} New={NewRule} />;
}
