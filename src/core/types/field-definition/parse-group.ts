import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import type { Fieldset, GroupSchema, Property } from '../definition.ts';
import { attempt } from '../field-input.ts';
import { FieldError } from '../field-kind.ts';
import type { FieldKinds } from '../field-kinds.ts';
import { groupBoundProblems, memberProblem } from './definition-problem.ts';
import { MAX_TEXT_LENGTH } from './settings.ts';

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Members that a schema inside of a field may have. */
const KEYS = new Set(['title', 'description', 'type', 'fieldsets', 'properties', 'required', '@id']);

/** Parses a member of a group; reports problems, and returns undefined then. */
type ParseMember = (
  sent: JsonObject,
  now: Property | undefined,
  place: { name: string; report: (setting: string, message: string) => void },
) => Property | undefined;

type GroupContext = {
  kinds: FieldKinds;
  /** The depth of the group, itself counted. */
  depth: number;
  /** Takes a problem, with its place in the sent value. */
  report: (place: string, message: string) => void;
  parse: ParseMember;
};

const short = (text: string): string => text.slice(0, 100);

/** The fields inside, as sent: `schema`, or in the form of JSON Schema `properties`, or the `properties` of `items`. */
function sentSchema({ schema, properties, items }: JsonObject): unknown {
  if (schema !== undefined) return schema;
  if (properties !== undefined) return { properties };
  return isJsonObject(items) && items.properties !== undefined
    ? { properties: items.properties, ...(items.required === undefined ? {} : { required: items.required }) }
    : undefined;
}

/** The names of required fields of a group: the names in the list, else the fields that are marked as required. */
function requiredNames(sent: unknown, members: JsonObject, now: GroupSchema | undefined): string[] {
  const listed = Array.isArray(sent) ? sent : (now?.required ?? []);
  const unknown = listed.find((name) => typeof name !== 'string' || !Object.hasOwn(members, name));
  if (Array.isArray(sent) && unknown !== undefined)
    throw new FieldError(`There is no field ${short(JSON.stringify(unknown))}.`);
  if (sent !== undefined && !Array.isArray(sent)) throw new FieldError('Must be a list of names of fields.');
  return Object.entries(members).flatMap(([name, member]) => {
    const own = isJsonObject(member) && typeof member.required === 'boolean' ? member.required : undefined;
    return (own ?? listed.includes(name)) ? [name] : [];
  });
}

/** Fieldsets with each field in exactly one of them. Fields without a fieldset are put into the first one. Throws FieldError. */
function groupFieldsets(sent: unknown, names: readonly string[]): Fieldset[] {
  if (sent !== undefined && !Array.isArray(sent)) throw new FieldError('Must be a list of {id, title, fields}.');
  const left = new Set(names);
  const fieldsets = (sent ?? []).map((fieldset: unknown): Fieldset => {
    const { id, title = id, fields } = isJsonObject(fieldset) ? fieldset : {};
    const isText = (text: unknown): text is string =>
      typeof text === 'string' && text !== '' && text.length <= MAX_TEXT_LENGTH;
    if (!isText(id) || !isText(title) || !Array.isArray(fields))
      throw new FieldError('Must be a list of {id, title, fields}.');
    return { id, title, fields: fields.filter((name): name is string => left.delete(name)) };
  });
  const [first = { id: 'default', title: 'Default', fields: [] }, ...others] = fieldsets;
  return [{ ...first, fields: [...first.fields, ...left] }, ...others];
}

/**
 * Parses all fields inside of a group as a client sent them; fields that are left out are removed. Reports problems, and then returns undefined.
 * Without a sent schema, the present one stays.
 */
export function parseGroupSchema(
  sent: JsonObject,
  now: GroupSchema | undefined,
  { kinds, depth, report, parse }: GroupContext,
): GroupSchema | undefined {
  const schema = sentSchema(sent) ?? now;
  const problems: string[] = [];
  const fail = (place: string, message: string): void => {
    problems.push(place);
    report(place, message);
  };
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) {
    fail('schema', 'Must be an object with the fields inside: {"properties": {…}}.');
    return undefined;
  }
  const members = schema.properties;
  const unknown = Object.keys(schema).find((name) => !KEYS.has(name));
  if (unknown !== undefined) fail(`schema.${short(unknown)}`, 'Is no key that Canopy knows.');
  for (const { place, message } of groupBoundProblems(members, depth)) fail(place, message);
  if (problems.length > 0) return undefined;
  const properties: Record<string, Property> = {};
  for (const [name, member] of Object.entries(members)) {
    const place = `schema.properties.${short(name)}`;
    if (!NAME.test(name) || name in Object.prototype)
      fail(place, 'A name begins with a letter and has up to 64 letters without marks, digits and _.');
    else if (!isJsonObject(member)) fail(place, 'Must be an object.');
    else {
      const known = now && Object.hasOwn(now.properties, name) ? now.properties[name] : undefined;
      const property = parse(member, known, {
        name,
        report: (setting, message) => fail(`${place}.${setting}`, message),
      });
      const problem = property && memberProblem(kinds, property);
      if (problem !== undefined) fail(place, problem);
      else if (property) properties[name] = property;
    }
  }
  return problems.length > 0 ? undefined : whole(schema, members, { now, properties, fail });
}

/** The schema with its required fields and its fieldsets. */
function whole(
  schema: JsonObject,
  members: JsonObject,
  {
    now,
    properties,
    fail,
  }: {
    now: GroupSchema | undefined;
    properties: Record<string, Property>;
    fail: (place: string, message: string) => void;
  },
): GroupSchema | undefined {
  const required = attempt('schema.required', () => requiredNames(schema.required, members, now), fail);
  const fieldsets = attempt('schema.fieldsets', () => groupFieldsets(schema.fieldsets, Object.keys(properties)), fail);
  const { title } = schema;
  if (title !== undefined && (typeof title !== 'string' || title.length > MAX_TEXT_LENGTH))
    fail('schema.title', `Must be a text of up to ${MAX_TEXT_LENGTH} characters.`);
  else if (required && fieldsets)
    return { ...(typeof title === 'string' ? { title } : {}), fieldsets, properties, required };
  return undefined;
}
