import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

const Name = Type.String({ minLength: 1, maxLength: 100 });
const Names = Type.Array(Name);
const Fields = {
  fieldsets: Type.Optional(
    Type.Array(Type.Object({ id: Name, title: Type.String(), fields: Names }, { additionalProperties: true })),
  ),
  properties: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({ title: Type.String(), type: Name, factory: Name }, { additionalProperties: true }),
    ),
  ),
  required: Type.Optional(Names),
};

const Metadata = Type.Object(
  {
    id: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' }),
    title: Name,
    description: Type.String({ maxLength: 1000 }),
    version: Type.String({ pattern: '^\\d{1,18}$' }),
  },
  { additionalProperties: false },
);

const AddonType = Type.Object(
  {
    id: Name,
    title: Type.String(),
    behaviors: Names,
    global_allow: Type.Boolean(),
    filter_content_types: Type.Boolean(),
    allowed_content_types: Names,
    workflow: Type.Union([Name, Type.Null()]),
    layouts: Type.Array(Name, { minItems: 1 }),
    ...Fields,
  },
  { additionalProperties: true },
);

const Behavior = Type.Object({ id: Name, title: Type.String(), ...Fields }, { additionalProperties: true });

const Workflow = Type.Object(
  {
    id: Name,
    title: Type.String(),
    initial_state: Name,
    states: Type.Record(
      Type.String(),
      Type.Object(
        {
          title: Type.String(),
          transitions: Names,
          permissions: Type.Record(Type.String(), Type.Object({ roles: Names, acquire: Type.Boolean() })),
        },
        { additionalProperties: true },
      ),
    ),
    transitions: Type.Record(
      Type.String(),
      Type.Object({ title: Type.String(), new_state: Name }, { additionalProperties: true }),
    ),
  },
  { additionalProperties: true },
);

const Settings = Type.Record(Name, Type.Record(Name, Type.Unknown()));
const Permissions = Type.Record(Name, Names);
const Content = Type.Array(Type.Object({ '@type': Name }, { additionalProperties: true }));

/** The contents of the files of an add-on, by the kind of file. */
export type AddonFiles = {
  metadata: Static<typeof Metadata>;
  type: Static<typeof AddonType>;
  behavior: Static<typeof Behavior>;
  workflow: Static<typeof Workflow>;
  permissions: Static<typeof Permissions>;
  settings: Static<typeof Settings>;
  content: Static<typeof Content>;
};

const VALIDATORS = {
  metadata: Compile(Metadata),
  type: Compile(AddonType),
  behavior: Compile(Behavior),
  workflow: Compile(Workflow),
  permissions: Compile(Permissions),
  settings: Compile(Settings),
  content: Compile(Content),
};

/** The folder of an add-on cannot be used. The message is for the operators of the site. */
export class AddonBroken extends Error {}

/** Returns the data of a file if it matches the schema of its kind. Throws AddonBroken with the first mistake. */
export function requireAddonFile<K extends keyof AddonFiles>(kind: K, path: string, data: unknown): AddonFiles[K] {
  const validator = VALIDATORS[kind];
  if (isFile(kind, data)) return data;
  const [first] = validator.Errors(data);
  throw new AddonBroken(`${path}: ${first ? `${first.instancePath || '/'} ${first.message}` : 'has another form'}`);
}

const isFile = <K extends keyof AddonFiles>(kind: K, data: unknown): data is AddonFiles[K] =>
  VALIDATORS[kind].Check(data);
