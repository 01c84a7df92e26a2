import { type Static, Type } from 'typebox';
import {
  type Caller,
  configuration,
  defineService,
  type Fieldset,
  Form,
  fieldDefinitions,
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
/** The default factory of a field. */
const LINE = 'Text line (String)';

const isCore = (name: string): boolean => CORE_USER_FIELDS.some((core) => core === name);

/** Parses the definition of a field; reports an invalid definition and returns undefined for it. */
function parseField(
  kernel: Kernel,
  sent: JsonObject,
  context: { name: string; report: (setting: string, message: string) => void },
): Property | undefined {
  const { fieldKinds: kinds, messages } = kernel;
  const { factory = LINE } = sent;
  const offered = kinds.factories.filter(({ forUsers }) => forUsers).map(({ name }) => name);
  if (!offered.some((name) => name === factory)) {
    context.report('factory', `The factory must be one of: ${offered.join(', ')}.`);
    return undefined;
  }
  const matched = (text: string, stored: string | undefined) => messages.matchedText(text, stored);
  const property = fieldDefinitions.parse({ ...sent, factory }, undefined, { kinds, matched, ...context });
  const setting = property && fieldDefinitions.contentSetting(property);
  if (setting !== undefined) context.report(setting, 'Only fields of content have this setting.');
  return property;
}

/** Returns the properties after a change: properties in `value` are replaced, or removed by null. */
function parseProperties(
  { kernel, problems }: { kernel: Kernel; problems: FieldProblem[] },
  now: Schema,
  value: JsonObject | undefined,
): Record<string, Property> {
  if (value === undefined) return now.properties;
  const next = new Map(Object.entries(now.properties));
  for (const [name, sent] of Object.entries(value).slice(0, 2 * MAX_FIELDS)) {
    const place = `properties.${name.slice(0, 100)}`;
    // Fields that every user has do not change; clients send them back.
    if (isCore(name)) continue;
    if (!NAME.test(name) || RESERVED.has(name)) {
      const message = 'The name must have small letters, digits and _, begin with a letter, and mean nothing else.';
      problems.push({ field: place, message });
    } else if (sent === null) next.delete(name);
    else if (!isJsonObject(sent))
      problems.push({ field: place, message: 'Must be an object, or null to remove the field.' });
    else {
      const report = (setting: string, message: string) => problems.push({ field: `${place}.${setting}`, message });
      const property = parseField(kernel, sent, { name, report });
      if (property) next.set(name, property);
    }
  }
  if (next.size > MAX_FIELDS)
    problems.push({ field: 'properties', message: `Users have at most ${MAX_FIELDS} fields.` });
  return Object.fromEntries(next);
}

/** Returns fieldsets with each field in exactly one of them: fields without a fieldset go to the end of the first. */
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
      description: 'Fields by their names, with settings as fields of types have them; null removes one.',
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
function changedSchema(kernel: Kernel, now: Schema, input: UserSchemaChange): Schema {
  const problems: FieldProblem[] = [];
  const properties = parseProperties({ kernel, problems }, now, input.properties);
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
    // Another change may have been committed meanwhile; from here on the lock on people prevents further changes.
    const now = await kernel.sites.within(tx);
    const data = changedSchema(kernel, now.userSchema ?? DEFAULT_USER_SCHEMA, input);
    await configuration.write(tx, [
      { kind: configuration.KINDS.userSchema, id: sitePieces.USER_SCHEMA, position: 0, data },
    ]);
    const change = { part: 'userschema', id: '', change: 'edited', names: Object.keys(input.properties ?? {}) };
    await kernel.events.emit('site.changed', change, { tx, caller });
  });
}

/** GET `@userschema`: the fields of users. `@userschema/registration` and `@userschema/preferences` are further forms. */
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
