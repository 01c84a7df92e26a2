import { configuration, type Kernel, type RequestContext, type Site, type TypeDefinition } from '#core';
import { BadRequest, type FieldProblem, NotFound, ValidationFailed } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { changeTypes, storedType, type TypeRequest, writeType } from './change-types.ts';
import { SchemaEditor } from './edit-schema.ts';
import { behaviorsByName } from './own-schema.ts';

/** The type whose schema is changed. */
type SchemaRequest = TypeRequest & { type: string };

const addressOf = (...parts: string[]): string => `/@types/${parts.join('/')}`;

/** An editor of a stored type. */
const editorOf = (kernel: Kernel, site: Site, stored: TypeDefinition): SchemaEditor =>
  new SchemaEditor(stored, {
    kinds: kernel.fieldKinds,
    behaviors: behaviorsByName([...site.behaviors.values()]),
    messages: kernel.messages,
  });

/** Changes the schema of a type in one transaction. Throws NotFound for an unknown type, and ValidationFailed. */
async function editType<T>(kernel: Kernel, request: SchemaRequest, edit: (editor: SchemaEditor) => T): Promise<T> {
  return changeTypes(kernel, request, async (change) => {
    const editor = editorOf(kernel, change.site, storedType(change, request.type, addressOf(request.type)));
    const response = edit(editor);
    await writeType(change, editor.definition());
    return response;
  });
}

/**
 * Returns the problems that the editor finds in the valid members of a body with invalid members, so that the response names all problems although
 * nothing is edited. Empty when all members match their schemas, because the edit itself finds the problems. Throws NotFound for an unknown type,
 * field or fieldset.
 */
export async function problemsBeside(
  { kernel, site, body }: Pick<RequestContext, 'kernel' | 'site' | 'body'>,
  { given, type = '' }: { given: JsonObject; type: string | undefined },
  edit: (editor: SchemaEditor, sent: JsonObject) => unknown,
): Promise<FieldProblem[]> {
  const broken = Object.keys(body).filter((name) => !Object.hasOwn(given, name));
  if (broken.length === 0) return [];
  const editor = editorOf(kernel, site, storedType(await configuration.load(kernel.db), type, addressOf(type)));
  try {
    edit(editor, given);
    editor.definition();
    return [];
  } catch (error) {
    if (error instanceof BadRequest) return [];
    if (!(error instanceof ValidationFailed)) throw error;
    return error.problems.filter(({ field = '' }) => !broken.includes(field.split('.')[0] ?? ''));
  }
}

/** Adds a field, or a fieldset if the `factory` says so. Returns its name. */
export const addPart = (editor: SchemaEditor, sent: JsonObject): string =>
  sent.factory === 'fieldset' ? editor.addFieldset(sent) : editor.addField(sent);

/** Adds a field or a fieldset to a type. Returns its name. */
export const addTypePart = (kernel: Kernel, request: SchemaRequest): Promise<string> =>
  editType(kernel, request, (editor) => addPart(editor, request.input));

/** Changes fields and fieldsets of a type; with `whole` missing ones are removed. */
export const changeSchema = (kernel: Kernel, request: SchemaRequest & { whole: boolean }): Promise<void> =>
  editType(kernel, request, (editor) => editor.apply(request.input, request));

/** Calls `field` or `fieldset` for the field or fieldset with the name. Throws NotFound if there is neither. */
function onPart(
  editor: SchemaEditor,
  { type, name }: { type: string; name: string },
  { field, fieldset }: Record<'field' | 'fieldset', () => void>,
): void {
  if (editor.has(name)) field();
  else if (editor.hasFieldset(name)) fieldset();
  else throw new NotFound(addressOf(type, name));
}

/** Changes the field or the fieldset with a name. Throws NotFound if there is neither. */
export const changePart = (editor: SchemaEditor, part: { type: string; name: string }, sent: JsonObject): void =>
  onPart(editor, part, {
    field: () => editor.setField(part.name, sent),
    fieldset: () => editor.setFieldset(part.name, sent),
  });

/** Changes a field or a fieldset of a type. */
export const changeTypePart = (kernel: Kernel, request: SchemaRequest & { name: string }): Promise<void> =>
  editType(kernel, request, (editor) => changePart(editor, request, request.input));

const NOTHING: JsonObject = {};

/** Removes a field or an empty fieldset of a type. Values of the field stay in content. */
export const removeTypePart = (
  kernel: Kernel,
  request: Omit<SchemaRequest, 'input'> & { name: string },
): Promise<void> =>
  editType(kernel, { ...request, input: NOTHING }, (editor) =>
    onPart(editor, request, {
      field: () => editor.removeField(request.name),
      fieldset: () => editor.removeFieldset(request.name),
    }),
  );
