import type { Kernel } from '../../kernel/kernel.ts';
import { NotFound } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { changeTypes, storedType, type TypeRequest, writeType } from './change-types.ts';
import { SchemaEditor } from './edit-schema.ts';
import { behaviorsByName } from './own-schema.ts';

/** The type whose schema is changed, and the field or fieldset of it where only that is. */
type SchemaRequest = TypeRequest & { type: string; name?: string };

const addressOf = (...parts: string[]): string => `/@types/${parts.join('/')}`;

/** Changes the schema of a type in one transaction. Throws NotFound for no such type, ValidationFailed. */
async function editType<T>(kernel: Kernel, request: SchemaRequest, edit: (editor: SchemaEditor) => T): Promise<T> {
  return changeTypes(kernel, request, async (change) => {
    const stored = storedType(change, request.type, addressOf(request.type));
    const editor = new SchemaEditor(stored, {
      kinds: kernel.fieldKinds,
      behaviors: behaviorsByName([...change.site.behaviors.values()]),
      messages: kernel.messages,
    });
    const response = edit(editor);
    await writeType(change, editor.definition());
    return response;
  });
}

/** Adds a field, or a fieldset where the `factory` says so, to a type. Returns its name. */
export const addTypePart = (kernel: Kernel, request: SchemaRequest): Promise<string> =>
  editType(kernel, request, (editor) =>
    request.input.factory === 'fieldset' ? editor.addFieldset(request.input) : editor.addField(request.input),
  );

/** Changes fields and fieldsets of a type; with `whole` those that are left out are removed. */
export const changeSchema = (kernel: Kernel, request: SchemaRequest & { whole: boolean }): Promise<void> =>
  editType(kernel, request, (editor) => editor.apply(request.input, request));

/** Does one thing to a field and another to a fieldset, whichever has the name. Throws NotFound for neither. */
function onPart(
  kernel: Kernel,
  { name, ...request }: SchemaRequest & { name: string },
  { field, fieldset }: Record<'field' | 'fieldset', (editor: SchemaEditor, name: string) => void>,
): Promise<void> {
  return editType(kernel, request, (editor) => {
    if (editor.has(name)) field(editor, name);
    else if (editor.hasFieldset(name)) fieldset(editor, name);
    else throw new NotFound(addressOf(request.type, name));
  });
}

/** Changes a field or a fieldset of a type. */
export const changeTypePart = (kernel: Kernel, request: SchemaRequest & { name: string }): Promise<void> =>
  onPart(kernel, request, {
    field: (editor, name) => editor.setField(name, request.input),
    fieldset: (editor, name) => editor.setFieldset(name, request.input),
  });

const NOTHING: JsonObject = {};

/** Removes a field or an empty fieldset of a type. Values of the field stay in content. */
export const removeTypePart = (
  kernel: Kernel,
  request: Omit<SchemaRequest, 'input'> & { name: string },
): Promise<void> =>
  onPart(
    kernel,
    { ...request, input: NOTHING },
    {
      field: (editor, name) => editor.removeField(name),
      fieldset: (editor, name) => editor.removeFieldset(name),
    },
  );
