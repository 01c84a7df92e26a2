import { type TSchema, Type } from 'typebox';
import type { FieldProblem } from '../../../lib/errors.ts';
import { isJsonObject } from '../../../lib/json-object.ts';
import { LateValidator } from '../../../lib/schema/late-validator.ts';
import { MAX_GROUP_DEPTH } from '../../types/field-definition/definition-problem.ts';
import { Exactly, FieldSchema, INDEX_DISPLAY, Name } from '../../types/field-definition/settings.ts';
import { ConfigError } from '../environment/setting-names.ts';
import { ProviderFile } from '../site/login-provider.ts';
import { KINDS } from '../site/site.ts';

/** The kind of groups in a profile. Their rows are in the table of groups, not in the configuration. */
export const GROUP = 'group';

/** The kind of content rules. Their rows are in tables, too. */
export const RULE = 'rule';

/** The error for an unusable folder of a profile or an add-on. The message names the file and its problem. */
export class ProfileBroken extends ConfigError {}

const Names = Type.Array(Name);
const Table = (schema: TSchema) => Type.Record(Type.String(), schema);

const Fieldsets = Type.Array(
  Exactly({ id: Name, title: Type.String(), fields: Names }, { description: Type.String(), behavior: Name }),
);

/** A field with up to so many levels of fields inside. */
const fieldSchema = (levels: number): TSchema =>
  FieldSchema(
    levels > 0
      ? {
          schema: Exactly(
            { fieldsets: Fieldsets, properties: Table(fieldSchema(levels - 1)), required: Names },
            { title: Type.String() },
          ),
        }
      : {},
  );
const Field = fieldSchema(MAX_GROUP_DEPTH);

const fields = {
  fieldsets: Fieldsets,
  properties: Table(Field),
  required: Names,
};

const Role = Exactly({ id: Name, title: Type.String() }, { description: Type.String() });
const Group = Exactly({ id: Name, title: Type.String(), roles: Names }, { description: Type.String() });

const TypeFile = Exactly(
  {
    id: Name,
    title: Type.String(),
    behaviors: Names,
    global_allow: Type.Boolean(),
    filter_content_types: Type.Boolean(),
    allowed_content_types: Names,
    workflow: Type.Union([Name, Type.Null()]),
    layouts: Type.Array(Name, { minItems: 1 }),
  },
  {
    description: Type.String(),
    icon: Type.String(),
    aliases: Names,
    add_permission: Name,
    generated_by: Name,
    ...fields,
  },
);

const WorkflowFile = Exactly(
  {
    id: Name,
    title: Type.String(),
    initial_state: Name,
    states: Table(
      Exactly(
        {
          title: Type.String(),
          transitions: Names,
          permissions: Table(Exactly({ roles: Names, acquire: Type.Boolean() })),
        },
        { description: Type.String() },
      ),
    ),
    transitions: Table(
      Exactly(
        { title: Type.String(), new_state: Name },
        {
          description: Type.String(),
          guard: Exactly({}, { permissions: Names, roles: Names, groups: Names, conditions: Names }),
        },
      ),
    ),
  },
  { description: Type.String() },
);

/** A condition or an action: its type, and values of this type. */
const RuleElement = Type.Object({ type: Name }, { additionalProperties: true });
const RuleFile = Exactly(
  { id: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,99}$' }), title: Name, event: Name },
  {
    description: Type.String({ maxLength: 2000 }),
    enabled: Type.Boolean(),
    stop: Type.Boolean(),
    cascading: Type.Boolean(),
    conditions: Type.Array(RuleElement),
    actions: Type.Array(RuleElement),
    assignments: Table(Exactly({}, { enabled: Type.Boolean(), bubbles: Type.Boolean() })),
  },
);

const SCHEMAS: Readonly<Record<string, TSchema>> = {
  [KINDS.type]: TypeFile,
  [KINDS.behavior]: Exactly(
    { id: Name, title: Type.String() },
    { description: Type.String(), aliases: Names, ...fields },
  ),
  [KINDS.workflow]: WorkflowFile,
  [KINDS.vocabulary]: Exactly(
    { id: Name, items: Type.Array(Exactly({ token: Name, title: Type.String() })) },
    { title: Type.String(), description: Type.String() },
  ),
  [KINDS.role]: Role,
  [KINDS.permission]: Names,
  [KINDS.action]: Type.Array(
    Exactly(
      { id: Name, title: Type.String() },
      { url: Type.String(), icon: Type.String(), permission: Name, condition: Name },
    ),
  ),
  [KINDS.setting]: Table(Type.Unknown()),
  [KINDS.index]: Exactly({ name: Name, type: Name }, { attr: Name, ...INDEX_DISPLAY }),
  [KINDS.column]: Exactly({ name: Name }, { attr: Name }),
  [KINDS.loginProvider]: ProviderFile,
  [GROUP]: Group,
  [RULE]: RuleFile,
};

const validators = new Map(Object.entries(SCHEMAS).map(([kind, schema]) => [kind, new LateValidator(schema)]));

/** The message for a key that the schema of an object does not have. */
function unknownKey(data: unknown, instancePath: string, params: object): string | undefined {
  if (!('additionalProperties' in params) || !Array.isArray(params.additionalProperties)) return undefined;
  const names = params.additionalProperties.map((name) => `"${String(name)}"`).join(', ');
  const place = instancePath === '' ? '' : ` at ${instancePath.slice(1).replaceAll('/', '.')}`;
  return `${names} is no key that Canopy knows${isJsonObject(data) && typeof data.id === 'string' ? ` of "${data.id}"` : ''}${place}`;
}

/**
 * Returns the problems in the form of a piece of the configuration, such as a workflow, each with its place. Empty for a piece with
 * the form of its kind, and for kinds without a form.
 */
export function formProblems(kind: string, data: unknown): FieldProblem[] {
  const validator = validators.get(kind);
  if (!validator || validator.Check(data)) return [];
  return validator.Errors(data).flatMap(({ keyword, instancePath, message, params }): FieldProblem[] => {
    const place = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
    const under = (name: unknown) => (place === '' ? String(name) : `${place}.${String(name)}`).slice(0, 300);
    if ('additionalProperties' in params && Array.isArray(params.additionalProperties))
      return params.additionalProperties.map((name) => ({
        field: under(name),
        message: 'Is no key that Canopy knows.',
      }));
    if ('requiredProperties' in params && Array.isArray(params.requiredProperties))
      return params.requiredProperties.map((name) => ({ field: under(name), message: 'Is missing.' }));
    // The error of an unknown member of a closed object is left out, because its name is reported already.
    return keyword === 'boolean' || message === 'must not be valid'
      ? []
      : [{ field: place.slice(0, 300), message: `Has another form: ${message}.` }];
  });
}

/**
 * Checks one piece of a profile or an add-on, such as a type, by the schema of its kind. Throws ProfileBroken, which names the
 * file with the first mistake: an unknown key, a key that is missing, a value of another form.
 */
export function requireProfileRow(file: string, kind: string, data: unknown): void {
  const validator = validators.get(kind);
  if (!validator || validator.Check(data)) return;
  const errors = validator.Errors(data);
  const first = errors.find(({ params }) => 'additionalProperties' in params) ?? errors[0];
  const problem =
    first &&
    (unknownKey(data, first.instancePath, first.params) ??
      `${first.instancePath === '' ? '' : `${first.instancePath.slice(1).replaceAll('/', '.')} `}${first.message}`);
  throw new ProfileBroken(`${file}: ${problem ?? 'has another form'}.`);
}
