import { useEffect, useMemo, useState } from 'react';
import { say } from '../lib/say.ts';
import { Button } from '../parts/button.tsx';
import { Panel } from '../parts/page.tsx';
import { Rehearsed } from '../parts/rehearsed.tsx';
import type { TableRole } from './role-table.tsx';
import { StateEditor } from './state-editor.tsx';
import { TransitionEditor } from './transition-editor.tsx';
import { difference, freeId, type Workflow, withoutState, withoutTransition } from './workflow.ts';
import { WorkflowPicture } from './workflow-picture.tsx';

type AddProps = { label: string; button: string; onAdd: (title: string) => void };

function Add({ label, button, onAdd }: AddProps) {
  const [title, setTitle] = useState('');
  return (
    <form
      className="tools"
      onSubmit={(event) => {
        event.preventDefault();
        if (title.trim() === '') return;
        onAdd(title.trim());
        setTitle('');
      }}
    >
      <label className="filter grow">
        <span>{label}</span>
        <input value={title} onChange={({ target }) => setTitle(target.value)} />
      </label>
      <Button type="submit" isDisabled={title.trim() === ''}>
        {button}
      </Button>
    </form>
  );
}

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
  return (
    <>
      <Panel>
        <WorkflowPicture workflow={draft} />
        <label className="filter">
          <span>{say('State of new content')}</span>
          <select
            value={draft.initial_state}
            onChange={({ target }) => setDraft({ ...draft, initial_state: target.value })}
          >
            {Object.entries(draft.states).map(([id, { title }]) => (
              <option key={id} value={id}>
                {title || id}
              </option>
            ))}
          </select>
        </label>
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
          <label key={id} className="filter">
            <span>
              {say('Takes the place of {state} for content in it', { state: stored.states[id]?.title ?? id })}
            </span>
            <select value={mapping[id] ?? ''} onChange={({ target }) => setMapping({ ...mapping, [id]: target.value })}>
              <option value="">{say('No value')}</option>
              {Object.entries(draft.states).map(([other, { title }]) => (
                <option key={other} value={other}>
                  {title || other}
                </option>
              ))}
            </select>
          </label>
        ))}
        <Add
          label={say('Title of a new state')}
          button={say('Add a state')}
          onAdd={(title) => {
            // A new state begins with the rights of the first one.
            const { permissions } = draft.states[draft.initial_state] ?? {};
            const made = { title, transitions: [], ...(permissions ? { permissions } : {}) };
            setDraft({ ...draft, states: { ...draft.states, [freeId(title, draft.states)]: made } });
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
        <Add
          label={say('Title of a new transition')}
          button={say('Add a transition')}
          onAdd={(title) =>
            setDraft({
              ...draft,
              transitions: {
                ...draft.transitions,
                [freeId(title, draft.transitions)]: { title, new_state: draft.initial_state },
              },
            })
          }
        />
      </Panel>
      <Rehearsed method="PATCH" service={service} body={body} onDone={reload} />
    </>
  );
}
