import { type Static, Type } from 'typebox';
import type { JsonObject } from '#lib/json-object';
import { Refused, type SiteRequests } from '../site-requests.ts';
import { Path } from './inputs.ts';

/** Members of content by their names. */
export const Fields = (description: string) =>
  Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), { description });

/** One write: a flat object, as models fill in unions badly. */
export const Change = Type.Object(
  {
    action: Type.Union(
      ['change', 'new', 'move', 'remove', 'transition'].map((action) => Type.Literal(action)),
      {
        description:
          'change: set fields; new: add a page; move: to another container; remove; transition: such as publish.',
      },
    ),
    path: Path('The page; of "new" the container.'),
    fields: Type.Optional(Fields('Of change and new: the fields with their new values, as describe_type names them.')),
    type: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Of new: the content type.' })),
    to: Type.Optional(Path('Of move: the new container.')),
    transition: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Of transition: its id.' })),
    base: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Of change: that of the JSON which read returned, so that the change is merged.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type Change = Static<typeof Change>;

/** A request of the API: the form that batches and proposals have. */
export type PlainRequest = { method: string; path: string; body?: JsonObject };

/** A member that an action needs. @throws Refused */
function needed<T>(value: T | undefined, name: string, action: string): T {
  if (value === undefined) throw new Refused(400, `"${action}" takes "${name}".`);
  return value;
}

/** The request that a change stands for. @throws Refused for one that lacks a member */
export function requestOf(site: SiteRequests, change: Change): PlainRequest {
  const { action, fields, type, to, transition, base } = change;
  const path = site.pathOf(change.path);
  switch (action) {
    case 'change': {
      const query = base === undefined ? '' : `?base=${encodeURIComponent(base)}`;
      return { method: 'PATCH', path: `${path || '/'}${query}`, body: needed(fields, 'fields', action) };
    }
    case 'new':
      return { method: 'POST', path: path || '/', body: { ...fields, '@type': needed(type, 'type', action) } };
    case 'move':
      return { method: 'POST', path: `${site.pathOf(needed(to, 'to', action))}/@move`, body: { source: path } };
    case 'remove':
      return { method: 'DELETE', path: path || '/' };
    case 'transition':
      return {
        method: 'POST',
        path: `${path}/@workflow/${encodeURIComponent(needed(transition, 'transition', action))}`,
      };
    default:
      throw new Refused(400, `There is no action "${action}".`);
  }
}
