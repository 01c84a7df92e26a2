import { type FieldSchema, formValues, type Values } from '../form/schema.ts';
import { SchemaForm } from '../form/schema-form.tsx';
import { say } from '../lib/say.ts';
import { Button } from '../parts/button.tsx';
import type { TableRole } from './role-table.tsx';
import type { State, Transition } from './workflow.ts';

type TransitionEditorProps = {
  id: string;
  transition: Transition;
  states: Readonly<Record<string, State>>;
  roles: readonly TableRole[];
  /** Gets the transition, and the states that offer it. */
  onChange: (transition: Transition, from: readonly string[]) => void;
  onRemove: () => void;
};

const lines = (title: string): FieldSchema => ({ title, type: 'array', items: { type: 'string' } });
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** One transition: from where to where, and who may make it. One of each list that is not empty must fit. */
export function TransitionEditor({ id, transition, states, roles, onChange, onRemove }: TransitionEditorProps) {
  const choices = Object.entries(states).map(([name, { title }]) => [name, title || name] as const);
  const from = choices.map(([name]) => name).filter((name) => states[name]?.transitions?.includes(id));
  const { permissions, roles: guarded, groups, ...more } = transition.guard ?? {};
  const fields = ['title', 'from', 'to', 'permissions', 'roles', 'groups'];
  const schema = {
    required: ['title', 'to'],
    fieldsets: [{ id, title: '', fields: fields.map((field) => `${id}-${field}`) }],
    properties: {
      [`${id}-title`]: { title: say('Title'), type: 'string' },
      [`${id}-from`]: { title: say('Offered in'), type: 'array', items: { type: 'string', choices } },
      [`${id}-to`]: { title: say('Leads to'), type: 'string', choices },
      [`${id}-permissions`]: lines(say('Only with one of these permissions')),
      [`${id}-roles`]: {
        title: say('Only with one of these roles'),
        type: 'array',
        items: { type: 'string', choices: roles.map((role) => [role.id, role.title] as const) },
      },
      [`${id}-groups`]: lines(say('Only for members of one of these groups')),
    },
  };
  const change = (values: Values): void => {
    const of = (field: string): unknown => values[`${id}-${field}`];
    const lists = {
      permissions: textsOf(of('permissions')),
      roles: textsOf(of('roles')),
      groups: textsOf(of('groups')),
    };
    const guard = { ...more, ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) };
    const { guard: _, ...rest } = transition;
    onChange(
      {
        ...rest,
        title: String(of('title') ?? ''),
        new_state: String(of('to') ?? transition.new_state),
        ...(Object.keys(guard).length > 0 ? { guard } : {}),
      },
      textsOf(of('from')),
    );
  };
  const stored = {
    [`${id}-title`]: transition.title,
    [`${id}-from`]: from,
    [`${id}-to`]: transition.new_state,
    [`${id}-permissions`]: permissions ?? [],
    [`${id}-roles`]: guarded ?? [],
    [`${id}-groups`]: groups ?? [],
  };
  return (
    <details className="fieldset">
      <summary>
        <h3>{transition.title || id}</h3>
        <span className="soft">
          {from.map((name) => states[name]?.title || name).join(', ')} →{' '}
          {states[transition.new_state]?.title ?? transition.new_state}
        </span>
      </summary>
      <SchemaForm schema={schema} values={formValues(schema, stored)} onChange={change} />
      <Button label={say('Remove {name}', { name: transition.title || id })} onPress={onRemove}>
        {say('Remove')}
      </Button>
    </details>
  );
}
