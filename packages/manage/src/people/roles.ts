import type { FieldSchema } from '../form/schema.ts';
import { say } from '../lib/say.ts';

export type Role = { id: string; title: string };

/** Roles that everybody has, or nobody is given. */
const NOT_GIVEN = new Set(['Anonymous', 'Authenticated', 'Owner']);

/** The field with the roles of the site as boxes. */
export const rolesField = (roles: readonly Role[]): FieldSchema => ({
  title: say('Roles'),
  type: 'array',
  items: {
    type: 'string',
    choices: roles.filter(({ id }) => !NOT_GIVEN.has(id)).map(({ id, title }) => [id, title] as const),
  },
});

/** Roles that are given and taken, as the site takes them. */
export const roleChanges = (before: readonly string[], now: readonly unknown[]): Record<string, boolean> =>
  Object.fromEntries([
    ...before.filter((role) => !NOT_GIVEN.has(role) && !now.includes(role)).map((role) => [role, false] as const),
    ...now.map((role) => [String(role), true] as const),
  ]);
