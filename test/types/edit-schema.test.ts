import { describe, expect, it } from 'vitest';
import { loadProfile } from '../../src/core/configuration/profiles/profile.ts';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { resolveType } from '../../src/core/types/content-type.ts';
import type { Behavior, Fieldset, TypeDefinition } from '../../src/core/types/definition.ts';
import { SchemaEditor } from '../../src/features/type-editor/edit-schema.ts';
import { behaviorsByName } from '../../src/features/type-editor/own-schema.ts';
import { registries } from '../support/registries.ts';

describe.each(['default', 'plone'])('types of the profile %s', (profile) => {
  const { rows } = loadProfile(profile);
  const of = <T>(kind: string): T[] => rows.filter((row) => row.kind === kind).map(({ data }) => data as T);
  const around = {
    kinds: registries.fieldKinds,
    behaviors: behaviorsByName(of<Behavior>(KINDS.behavior)),
    messages: registries.messages,
  };
  const schemaOf = (type: TypeDefinition) => {
    const { properties, fieldsets, required, layouts } = resolveType(type, around.behaviors);
    return { properties, fieldsets, required, layouts };
  };
  const edited = (type: TypeDefinition, work: (editor: SchemaEditor) => void) => {
    const editor = new SchemaEditor(type, around);
    work(editor);
    return schemaOf(editor.definition());
  };
  const types = of<TypeDefinition>(KINDS.type).map((type) => [type.id, type] as const);

  it.each(types)('%s is what it was after its own schema was put', (_id, type) => {
    const schema = schemaOf(type);
    expect(edited(type, (editor) => editor.apply({ ...schema }, { whole: true }))).toEqual(schema);
  });

  it.each(types)('%s has each field in one fieldset, whatever becomes of fieldsets', (_id, type) => {
    const { properties, fieldsets } = edited(type, (editor) => {
      editor.addField({ factory: 'Integer', title: 'Shelf' });
      editor.apply({ fieldsets: [{ id: 'other', title: 'Other', fields: ['shelf'] }] }, { whole: true });
      editor.apply({ fieldsets: [] }, { whole: true });
    });
    expect(fieldsets.flatMap(({ fields }: Fieldset) => fields).sort()).toEqual(Object.keys(properties).sort());
    expect(fieldsets.find(({ id }) => id === 'default')?.fields).toContain('shelf');
  });
});
