import { useEffect, useMemo, useState } from 'react';
import { say } from '../lib/say.ts';
import { OneField } from '../parts/one-field.tsx';
import { Panel } from '../parts/page.tsx';
import { Rehearsed } from '../parts/rehearsed.tsx';
import { Select } from '../parts/select.tsx';
import type { TableRole } from './role-table.tsx';
import { StateEditor } from './state-editor.tsx';
import { TransitionEditor } from './transition-editor.tsx';
import { difference, freeId, type Workflow, withoutState, withoutTransition } from './workflow.ts';
import { WorkflowPicture } from './workflow-picture.tsx';

type EditorProps = { stored: Workflow; service: string; roles: readonly TableRole[]; reload: () => void };

/** Changes a workflow as a whole: nothing counts before it is saved. */
export function WorkflowEditor({ stored, service, roles, reload }: EditorProps) {
  const [draft, setDraft] = useState(stored);
  const [mapping, setMapping] = useState<Readonly<Record<string, string>>>({});
  useEffect(() => {
    setDraft(stored);
    setMapping({});
  }, [stored]);
  const gone = Object.keys(stored.states).filter((id) => !(id in draft.states));
  const body = useMemo(() => {
    const changes = difference(stored, draft);
    if (typeof changes !== 'object' || changes === null) return undefined;
    const used = Object.entries(mapping).filter(([id, to]) => !(id in draft.states) && to in draft.states);
    return { ...changes, ...(used.length > 0 ? { state_mapping: Object.fromEntries(used) } : {}) };
  }, [stored, draft, mapping]);
  const states = Object.entries(draft.states).map(([id, { title }]) => [id, title || id] as const);
  return (
    <>
      <Panel>
        <WorkflowPicture workflow={draft} />
        <Select
          label={say('State of new content')}
          value={draft.initial_state}
          options={states}
          onChange={(state) => setDraft({ ...draft, initial_state: state })}
        />
      </Panel>
      <Panel title={say('States')}>
        {Object.entries(draft.states).map(([id, state]) => (
          <StateEditor
            key={id}
            {...{ id, state, roles }}
            before={stored.states[id]}
            transitions={draft.transitions}
            onChange={(next) => setDraft({ ...draft, states: { ...draft.states, [id]: next } })}
            onRemove={() => setDraft(withoutState(draft, id))}
          />
        ))}
        {gone.map((id) => (
          <Select
            key={id}
            label={say('Takes the place of {state} for content in it', { state: stored.states[id]?.title ?? id })}
            value={mapping[id] ?? ''}
            options={[['', say('No value')], ...states]}
            onChange={(other) => setMapping({ ...mapping, [id]: other })}
          />
        ))}
        <OneField
          label={say('Title of a new state')}
          button={say('Add a state')}
          onSend={(title) => {
            // A new state begins with the rights of the first one.
            const { permissions } = draft.states[draft.initial_state] ?? {};
            const made = { title, transitions: [], ...(permissions ? { permissions } : {}) };
            setDraft({ ...draft, states: { ...draft.states, [freeId(title, draft.states)]: made } });
            return true;
          }}
        />
      </Panel>
      <Panel title={say('Transitions')}>
        {Object.entries(draft.transitions).map(([id, transition]) => (
          <TransitionEditor
            key={id}
            {...{ id, transition, roles }}
            states={draft.states}
            onChange={(next, from) =>
              setDraft({
                ...draft,
                transitions: { ...draft.transitions, [id]: next },
                states: Object.fromEntries(
                  Object.entries(draft.states).map(([name, state]) => {
                    const others = (state.transitions ?? []).filter((one) => one !== id);
                    const has = (state.transitions ?? []).includes(id);
                    if (has === from.includes(name)) return [name, state];
                    return [name, { ...state, transitions: has ? others : [...others, id] }];
                  }),
                ),
              })
            }
            onRemove={() => setDraft(withoutTransition(draft, id))}
          />
        ))}
        <OneField
          label={say('Title of a new transition')}
          button={say('Add a transition')}
          onSend={(title) => {
            const made = { title, new_state: draft.initial_state };
            const { transitions } = draft;
            setDraft({ ...draft, transitions: { ...transitions, [freeId(title, transitions)]: made } });
            return true;
          }}
        />
      </Panel>
      <Rehearsed method="PATCH" service={service} body={body} onDone={reload} />
    </>
  );
}
