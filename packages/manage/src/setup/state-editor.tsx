import { useState } from 'react';
import { say } from '../lib/say.ts';
import { Button } from '../parts/button.tsx';
import { RoleTable, type TableRole } from './role-table.tsx';
import type { State, StatePermission, Transition } from './workflow.ts';

type StateEditorProps = {
  id: string;
  state: State;
  /** The state as the site has it; none for a new one. */
  before: State | undefined;
  transitions: Readonly<Record<string, Transition>>;
  roles: readonly TableRole[];
  onChange: (state: State) => void;
  onRemove: () => void;
};

/** One state: its title, what leads out of it, and who may do what in it. */
export function StateEditor({ id, state, before, transitions, roles, onChange, onRemove }: StateEditorProps) {
  const [permission, setPermission] = useState('');
  const permissions = state.permissions ?? {};
  const change = (name: string, next: StatePermission): void =>
    onChange({ ...state, permissions: { ...permissions, [name]: next } });
  const names = (state.transitions ?? []).map((name) => transitions[name]?.title || name);
  return (
    <details className="fieldset">
      <summary>
        <h3>{state.title || id}</h3>
        <span className="soft">{names.join(', ')}</span>
      </summary>
      <div className="tools">
        <label className="filter grow">
          <span>{say('Title')}</span>
          <input value={state.title} onChange={({ target }) => onChange({ ...state, title: target.value })} />
        </label>
        <Button label={say('Remove {name}', { name: state.title || id })} onPress={onRemove}>
          {say('Remove')}
        </Button>
      </div>
      <RoleTable
        caption={say('Who may do what in the state {state}', { state: state.title || id })}
        roles={roles}
        rows={Object.entries(permissions).map(([name, { roles: own }]) => ({
          id: name,
          title: name,
          roles: own,
          before: before?.permissions?.[name]?.roles ?? [],
        }))}
        onChange={(name, own) => change(name, { acquire: permissions[name]?.acquire ?? false, roles: [...own] })}
      />
      <div className="choices">
        {Object.entries(permissions).map(([name, own]) => (
          <label key={name} className="box">
            <input
              type="checkbox"
              checked={own.acquire}
              onChange={({ target }) => change(name, { ...own, acquire: target.checked })}
            />
            {say('{permission}: also roles that have it without the workflow', { permission: name })}
          </label>
        ))}
      </div>
      <form
        className="tools"
        onSubmit={(event) => {
          event.preventDefault();
          const name = permission.trim();
          if (name === '' || name in permissions) return;
          change(name, { roles: ['Manager'], acquire: false });
          setPermission('');
        }}
      >
        <label className="filter grow">
          <span>{say('A further permission')}</span>
          <input value={permission} onChange={({ target }) => setPermission(target.value)} />
        </label>
        <Button type="submit" isDisabled={permission.trim() === ''}>
          {say('Add')}
        </Button>
      </form>
    </details>
  );
}
