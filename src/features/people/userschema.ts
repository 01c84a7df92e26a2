import { type Static, Type } from 'typebox';
import {
  type Caller,
  configuration,
  defineService,
  type FieldKinds,
  type Fieldset,
  Form,
  formOf,
  type Kernel,
  MANAGE_PORTAL,
  noContent,
  ok,
  type Property,
  requirePermission,
  type Schema,
  type Service,
  schemas,
  sitePieces,
  VIEW,
} from '#core';
import { BadRequest, type FieldProblem, ValidationFailed } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { changePeople } from './authority.ts';
import { registrationSchema } from './registration.ts';
import { CORE_USER_FIELDS, DEFAULT_USER_SCHEMA, preferencesType, userType } from './user-type.ts';

const MAX_FIELDS = 100;
const NAME = /^[a-z][a-z0-9_]{0,63}$/;
/** Keys of a user that fields cannot have as names. */
const RESERVED = new Set(['id', 'username', 'login', 'password', 'password_ctl', 'mail_me', 'roles', 'groups', 'file']);
/** The factory of a field for which a client names none. */
const LINE = 'Text line (String)';

const isCore = (name: string): boolean => CORE_USER_FIELDS.some((core) => core === name);

const texts = (value: unknown): string[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  const found = value.filter((item) => typeof item === 'string');
  return found.length === value.length ? found : undefined;
};

function isChoices(value: unknown): value is [string, string][] {
  return Array.isArray(value) && value.every((item) => texts(item)?.length === 2) && value.length <= 1000;
}

/** A text in the description of a field, cut to 2000 characters; undefined for anything but a text. */
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value.slice(0, 2000) : undefined);

/** Parses the description of a field. Returns a text that says what is wrong with an invalid one. */
function parseProperty(kinds: FieldKinds, value: unknown): Property | string {
  if (!isJsonObject(value)) return 'Must be an object, or null to remove the field.';
  const { title, factory = LINE, description, widget, choices, maxLength } = value;
  const offered = kinds.factories.filter(({ forUsers }) => forUsers);
  const known = offered.find(({ name }) => name === factory);
  if (!known) return `The factory must be one of: ${offered.map(({ name }) => name).join(', ')}.`;
  if (typeof title !== 'string' || title.trim() === '') return 'Needs a title.';
  if (choices !== undefined && !isChoices(choices)) return 'Choices must be pairs of token and title.';
  const property: Property = {
    title: title.slice(0, 200),
    type: known.property.type,
    factory: known.name,
    description: textIn(description) ?? '',
  };
  const wanted = textIn(widget);
  if (wanted !== undefined) property.widget = wanted;
  if (choices !== undefined) property.choices = choices;
  if (typeof maxLength === 'number' && Number.isInteger(maxLength) && maxLength > 0) property.maxLength = maxLength;
  return property;
}

/** Returns the properties after a change: those named in `value` are replaced, or removed by null. */
function parseProperties(
  { kinds, problems }: { kinds: FieldKinds; problems: FieldProblem[] },
  now: Schema,
  value: JsonObject | undefined,
): Record<string, Property> {
  if (value === undefined) return now.properties;
  const next = new Map(Object.entries(now.properties));
  for (const [name, sent] of Object.entries(value).slice(0, 2 * MAX_FIELDS)) {
    const problem = (message: string) => problems.push({ field: `properties.${name.slice(0, 100)}`, message });
    // Fields that every user has do not change; clients send them back.
    if (isCore(name)) continue;
    if (!NAME.test(name) || RESERVED.has(name)) {
      problem('The name must have small letters, digits and _, begin with a letter, and mean nothing else.');
      continue;
    }
    const property = sent === null ? null : parseProperty(kinds, sent);
    if (typeof property === 'string') problem(property);
    else if (property) next.set(name, property);
    else next.delete(name);
  }
  if (next.size > MAX_FIELDS)
    problems.push({ field: 'properties', message: `Users have at most ${MAX_FIELDS} fields.` });
  return Object.fromEntries(next);
}

/** Returns fieldsets with each field in exactly one of them: fields that none names go to the end of the first. */
function completeFieldsets(fieldsets: readonly Fieldset[], names: readonly string[]): Fieldset[] {
  const left = new Set(names);
  const complete = fieldsets.slice(0, MAX_FIELDS).map(({ id, title, fields }) => ({
    id: id.slice(0, 100),
    title: title.slice(0, 200),
    fields: [...new Set(fields)].filter((name) => left.delete(name)),
  }));
  const [first = { id: 'default', title: 'Default', fields: [] }, ...others] = complete;
  return [{ ...first, fields: [...first.fields, ...left] }, ...others];
}

/** The changes in a body of PATCH `@userschema`; absent keys change nothing. */
const UserSchemaChange = Type.Object({
  properties: Type.Optional(
    schemas.AnyObject({
      description: 'Fields by their names, `{title, factory, description?, widget?, choices?}`; null removes one.',
      message: 'Must be an object of fields by their names.',
    }),
  ),
  fieldsets: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), title: Type.String(), fields: Type.Array(Type.String()) }), {
      description: 'The fieldsets in the order of the form.',
      message: 'Must be a list of objects with id, title and fields.',
    }),
  ),
  required: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Names of the fields that may not be empty.',
      message: 'Must be a list of names of fields.',
    }),
  ),
});
type UserSchemaChange = Static<typeof UserSchemaChange>;

/** Applies the body of PATCH `@userschema` to the present schema. Throws ValidationFailed with all problems. */
function changedSchema(kinds: FieldKinds, now: Schema, input: UserSchemaChange): Schema {
  const problems: FieldProblem[] = [];
  const properties = parseProperties({ kinds, problems }, now, input.properties);
  const names = Object.keys(properties);
  const fieldsets = completeFieldsets(input.fieldsets ?? now.fieldsets, names);
  const required = input.required ?? now.required;
  if (required.includes('portrait')) problems.push({ field: 'required', message: 'A portrait cannot be required.' });
  if (problems.length > 0) throw new ValidationFailed(problems);
  const requiredNames = new Set(['email', ...required].filter((name) => names.includes(name)));
  return { fieldsets, properties, required: [...requiredNames] };
}

/**
 * Changes the fields of users by the body of PATCH `@userschema`. Name, address and picture stay. The values of a
 * removed field stay in the database and are served again when the field comes back.
 * @throws Unauthorized or Forbidden, ValidationFailed.
 */
async function changeUserSchema(
  kernel: Kernel,
  { caller, input }: { caller: Caller; input: UserSchemaChange },
): Promise<void> {
  await changePeople(kernel, async ({ tx, site, root }) => {
    requirePermission(site, caller, root, MANAGE_PORTAL);
    // Another change may have been committed meanwhile: the lock on people keeps further ones out from here on.
    const now = await kernel.sites.within(tx);
    const data = changedSchema(kernel.fieldKinds, now.userSchema ?? DEFAULT_USER_SCHEMA, input);
    await configuration.write(tx, [
      { kind: configuration.KINDS.userSchema, id: sitePieces.USER_SCHEMA, position: 0, data },
    ]);
    const change = { part: 'userschema', id: '', change: 'edited', names: Object.keys(input.properties ?? {}) };
    await kernel.events.emit('site.changed', change, { tx, caller });
  });
}

/** GET `@userschema`: the fields of users. `registration` and `preferences` below it are forms of their own. */
const getUserschema = defineService({
  name: '@userschema',
  method: 'GET',
  context: 'site',
  permission: VIEW,
  summary: 'The JSON schema of users, of the form in which they register, or of their preferences.',
  rest: ['', '{form}'],
  responses: {
    200: { description: 'The schema.', schema: Form },
    400: { description: 'There is no form but `registration` and `preferences`.' },
  },
  async run({ kernel, site, base, params: { form } }) {
    if (form === undefined) return ok(formOf(site, base, userType(kernel, site)));
    if (form === 'preferences') return ok(formOf(site, base, preferencesType(kernel, site)));
    if (form !== 'registration') throw new BadRequest('Forms of users are "registration" and "preferences".');
    const { fields, properties, required } = registrationSchema(kernel, site);
    const fieldsets = [{ behavior: 'user', id: 'default', title: 'Default', fields }];
    return ok(formOf(site, base, { fieldsets, properties, required }));
  },
});

/** PATCH `@userschema`: changes the fields of all users. */
const patchUserschema = defineService({
  name: '@userschema',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Changes the fields of users. Full name, e-mail address and portrait stay.',
  body: UserSchemaChange,
  responses: { 204: { description: 'Changed.' }, 400: { description: 'A problem for each field.' } },
  async run({ kernel, caller, body }) {
    await changeUserSchema(kernel, { caller, input: body });
    return noContent();
  },
});

export const userschemaServices: Service[] = [getUserschema, patchUserschema];
