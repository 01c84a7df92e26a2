import { type StaticDecode, Type } from 'typebox';
import { schemas } from '#core';

/** Tags in one change, and fields. */
const MAX_TAGS = 50;
const MAX_FIELDS = 20;
const MAX_TAG_LENGTH = 255;
const MAX_COMMENT_LENGTH = 10_000;

const Tags = (description: string) =>
  Type.Array(schemas.Text({ minLength: 1, maxLength: MAX_TAG_LENGTH }), {
    description,
    default: [],
    maxItems: MAX_TAGS,
    message: `must be a list of up to ${MAX_TAGS} texts`,
  });

const Flag = (description: string, value: boolean) =>
  Type.Boolean({ description, default: value, message: 'must be true or false' });

const Container = Type.Object({
  target: schemas.Text({
    description: 'Address, path or UID of the container.',
    maxLength: 10_000,
    message: { required: 'must be the address, the path or the UID of a container' },
  }),
});

/** The changes that can be made to many objects. A body has one of them. */
export const ChangeBody = Type.Object(
  {
    tags: Type.Optional(
      Type.Object(
        { add: Tags('Tags that all get.'), remove: Tags('Tags that all lose.') },
        { description: 'Adds and removes tags.' },
      ),
    ),
    transition: Type.Optional(
      Type.Object(
        {
          id: schemas.Text({ description: 'Id of the transition, such as publish.', maxLength: 200 }),
          comment: schemas.Text({
            description: 'A comment for the history.',
            maxLength: MAX_COMMENT_LENGTH,
            default: '',
          }),
        },
        { description: 'Moves along a transition of the workflow.' },
      ),
    ),
    move: Type.Optional(Container),
    copy: Type.Optional(Container),
    delete: Type.Optional(
      Type.Object(
        { ignore_links: Flag('Whether content goes that other content links to.', false) },
        { description: 'Removes, with everything below.' },
      ),
    ),
    fields: Type.Optional(
      schemas.AnyObject({
        description: `Values of up to ${MAX_FIELDS} fields, as PATCH takes them; no files.`,
        minProperties: 1,
        maxProperties: MAX_FIELDS,
        message: `must be an object with 1 to ${MAX_FIELDS} fields`,
      }),
    ),
    replace: Type.Optional(
      Type.Object(
        {
          pattern: schemas.Text({ description: 'As in `@replace`.', minLength: 1, maxLength: 1000 }),
          replacement: schemas.Text({ description: 'As in `@replace`.', maxLength: 10_000 }),
          regular_expression: Flag('Whether the pattern is a regular expression, not a text as it stands.', true),
          ignore_case: Flag('Whether capitals and small letters are the same.', false),
          urls: Flag('Whether addresses are replaced in as well.', false),
        },
        { description: 'Replaces text, as `@replace` does.' },
      ),
    ),
  },
  { description: 'One change.' },
);

/** The bodies of all changes by their names. */
export type Changes = StaticDecode<typeof ChangeBody>;
export type ChangeName = keyof Changes;

/** One change with its body. */
export type Change = { [Name in ChangeName]: { name: Name; body: NonNullable<Changes[Name]> } }[ChangeName];

/** The methods of requests that would make a change to a single object: limits of credentials are compared with them. */
export const METHODS: Readonly<Record<ChangeName, string>> = {
  tags: 'PATCH',
  transition: 'POST',
  move: 'POST',
  copy: 'POST',
  delete: 'DELETE',
  fields: 'PATCH',
  replace: 'PATCH',
};

/** The one change of a body; undefined for none or several. */
export function changeOf(changes: Partial<Changes>): Change | undefined {
  const { tags, transition, move, copy, delete: removal, fields, replace } = changes;
  const given: Change[] = [
    ...(tags ? [{ name: 'tags' as const, body: tags }] : []),
    ...(transition ? [{ name: 'transition' as const, body: transition }] : []),
    ...(move ? [{ name: 'move' as const, body: move }] : []),
    ...(copy ? [{ name: 'copy' as const, body: copy }] : []),
    ...(removal ? [{ name: 'delete' as const, body: removal }] : []),
    ...(fields ? [{ name: 'fields' as const, body: fields }] : []),
    ...(replace ? [{ name: 'replace' as const, body: replace }] : []),
  ];
  return given.length === 1 ? given[0] : undefined;
}
