import {
  type ContentType,
  fieldValues,
  findContent,
  type Kernel,
  MODIFY,
  requirePermission,
  type Site,
  tree,
} from '#core';
import { BadRequest } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import type { SanitizeHtml } from '#lib/text/sanitize-html';
import type { Operation, Subject } from './operation.ts';

const SUBJECTS = 'subjects';

/** The type of an object. Throws BadRequest when the site no longer has the type. */
function typeOf({ site, resolved }: Subject): ContentType {
  const type = site.types.get(resolved.object.type);
  if (!type) throw new BadRequest(`The site no longer has the type "${resolved.object.type}".`);
  return type;
}

const tagsOf = ({ resolved }: Subject): string[] => {
  const { [SUBJECTS]: tags } = fieldValues.of(resolved.object);
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
};

/** Adds tags to content and removes others. */
export const changeTags = ({ add, remove }: { add: readonly string[]; remove: readonly string[] }): Operation => ({
  async apply(subject) {
    const { kernel, tx, caller, site, resolved } = subject;
    requirePermission(site, caller, resolved, MODIFY);
    if (!typeOf(subject).fieldByName.has(SUBJECTS)) throw new BadRequest('Content of this type has no tags.');
    const before = tagsOf(subject);
    const subjects = [...new Set([...before.filter((tag) => !remove.includes(tag)), ...add])];
    if (subjects.length === before.length && subjects.every((tag, at) => tag === before[at])) return { changed: false };
    await tree.update(
      kernel,
      { caller, path: resolved.object.path, input: { [SUBJECTS]: subjects }, bases: [], lockToken: undefined },
      { tx },
    );
    return { changed: true };
  },
});

/** Throws BadRequest for a field that the objects of a type do not have, that clients cannot write, or that holds a file. */
function requireFields(kernel: Kernel, { id: type, fieldByName }: ContentType, names: readonly string[]): void {
  for (const sent of names) {
    const field = fieldByName.get(sent);
    const name = sent.slice(0, 100);
    if (!field || !fieldValues.isWritable(field))
      throw new BadRequest(`Content of the type "${type}" has no field "${name}" that can be set.`);
    if (kernel.fieldKinds.of(field).holds)
      throw new BadRequest(`The field "${name}" holds a file: set it for one object at a time.`);
  }
}

/** Sets values of fields. */
export function setFields(values: JsonObject, bases: readonly string[]): Operation {
  // `changeNote` belongs to the version and is no field.
  const names = Object.keys(values).filter((name) => name !== 'changeNote');
  const cleaners = new WeakMap<Site, Map<string, SanitizeHtml>>();
  /** The function that sanitizes the HTML in the values; it is the same for all objects of a type. */
  async function cleanerOf({ kernel, site }: Subject, type: ContentType): Promise<SanitizeHtml> {
    const known = cleaners.get(site) ?? new Map<string, SanitizeHtml>();
    cleaners.set(site, known);
    const sanitize = known.get(type.id) ?? (await fieldValues.prepareHtml(kernel, type, values));
    known.set(type.id, sanitize);
    return sanitize;
  }
  return {
    async apply(subject) {
      const { kernel, tx, caller, site, resolved } = subject;
      requirePermission(site, caller, resolved, MODIFY);
      const type = typeOf(subject);
      requireFields(kernel, type, names);
      const sanitize = await cleanerOf(subject, type);
      const { path, modified } = resolved.object;
      await tree.update(kernel, { caller, path, input: values, bases, lockToken: undefined, sanitize }, { tx });
      // Each change alters the time of the last change.
      const after = await findContent(kernel, path, tx);
      return { changed: after?.object.modified.getTime() !== modified.getTime() };
    },
  };
}
