import { useState } from 'react';
import { useData } from '../lib/data.ts';
import { count } from '../lib/format.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Ready } from '../parts/notice.tsx';
import { Rehearsed } from '../parts/rehearsed.tsx';
import { type Column, Table } from '../parts/table.tsx';
import type { Workflow } from './workflow.ts';

type OfType = { workflow: string | null; states: Record<string, number> };
type Row = OfType & { type: string };
type Draft = { workflow: string; mapping: Readonly<Record<string, string>> };
type Parts = { types: Readonly<Record<string, OfType>>; workflows: readonly Workflow[] };

async function load(signal: AbortSignal): Promise<Parts> {
  const [types, entries] = await Promise.all([
    ask<Record<string, OfType>>('GET', '@workflow-types', { signal }),
    ask<{ id: string }[]>('GET', '@workflows', { signal }),
  ]);
  const workflows = await Promise.all(
    entries.map(({ id }) => ask<Workflow>('GET', `@workflows/${encodeURIComponent(id)}`, { signal })),
  );
  return { types, workflows };
}

/** States with content that the new workflow does not have: each needs one that takes its place. */
const openStates = (row: Row, draft: Draft | undefined, workflows: readonly Workflow[]): string[] => {
  const chosen = workflows.find(({ id }) => id === draft?.workflow);
  if (!draft || !chosen || draft.workflow === (row.workflow ?? '')) return [];
  return Object.keys(row.states).filter((state) => state !== '' && !(state in chosen.states));
};

/** The workflow of each type, with how much content is in which state. */
export function WorkflowTypes({ onChange }: { onChange: () => void }) {
  const parts = useData('workflow types', load);
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const change = (type: string, draft: Draft): void => setDrafts({ ...drafts, [type]: draft });
  return (
    <Ready of={parts}>
      {({ types, workflows }) => {
        const changed = Object.entries(drafts).filter(
          ([type, { workflow }]) => workflow !== (types[type]?.workflow ?? ''),
        );
        const body =
          changed.length === 0
            ? undefined
            : Object.fromEntries(
                changed.map(([type, { workflow, mapping }]) => [
                  type,
                  workflow === '' ? null : { workflow, state_mapping: mapping },
                ]),
              );
        const columns: Column<Row>[] = [
          { id: 'type', title: say('Type'), cell: ({ type }) => <strong>{type}</strong> },
          {
            id: 'states',
            title: say('Content'),
            cell: ({ states }) =>
              Object.entries(states)
                .map(([state, number]) => `${state || say('No value')}: ${count(number)}`)
                .join(', '),
          },
          {
            id: 'workflow',
            title: say('Workflow'),
            cell: (row) => (
              <>
                <select
                  aria-label={say('Workflow of {type}', { type: row.type })}
                  value={drafts[row.type]?.workflow ?? row.workflow ?? ''}
                  onChange={({ target }) => change(row.type, { workflow: target.value, mapping: {} })}
                >
                  <option value="">{say('No workflow')}</option>
                  {workflows.map(({ id, title }) => (
                    <option key={id} value={id}>
                      {title}
                    </option>
                  ))}
                </select>
                {openStates(row, drafts[row.type], workflows).map((state) => {
                  const draft = drafts[row.type];
                  return (
                    <label key={state} className="filter">
                      <span>{say('Takes the place of {state} for content in it', { state })}</span>
                      <select
                        value={draft?.mapping[state] ?? ''}
                        onChange={({ target }) =>
                          draft && change(row.type, { ...draft, mapping: { ...draft.mapping, [state]: target.value } })
                        }
                      >
                        <option value="">{say('No value')}</option>
                        {Object.entries(workflows.find(({ id }) => id === draft?.workflow)?.states ?? {}).map(
                          ([id, { title }]) => (
                            <option key={id} value={id}>
                              {title || id}
                            </option>
                          ),
                        )}
                      </select>
                    </label>
                  );
                })}
              </>
            ),
          },
        ];
        return (
          <>
            <Table<Row>
              caption={say('Workflows of types')}
              columns={columns}
              rows={Object.entries(types).map(([type, one]) => ({ type, ...one }))}
              keyOf={({ type }) => type}
            />
            <Rehearsed
              method="PATCH"
              service="@workflow-types"
              body={body}
              onDone={() => {
                setDrafts({});
                parts.reload();
                onChange();
              }}
            />
          </>
        );
      }}
    </Ready>
  );
}
