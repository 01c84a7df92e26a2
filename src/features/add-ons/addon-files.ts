import { type Static, Type } from 'typebox';
import { LateValidator } from '#lib/schema/late-validator';

const Name = Type.String({ minLength: 1, maxLength: 100 });

const Metadata = Type.Object(
  {
    id: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' }),
    title: Name,
    description: Type.String({ maxLength: 1000 }),
    version: Type.String({ pattern: '^\\d{1,18}$' }),
  },
  { additionalProperties: false },
);

const Settings = Type.Record(Name, Type.Record(Name, Type.Unknown()));
const Content = Type.Array(Type.Object({ '@type': Name }, { additionalProperties: true }));

/** The contents of the files of an add-on, by the kind of file. */
export type AddonFiles = {
  metadata: Static<typeof Metadata>;
  settings: Static<typeof Settings>;
  content: Static<typeof Content>;
};

const VALIDATORS = {
  metadata: new LateValidator(Metadata),
  settings: new LateValidator(Settings),
  content: new LateValidator(Content),
};

/** Thrown for a folder of an add-on that cannot be used. The message is for the operators of the site. */
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
