import { isDeepStrictEqual } from 'node:util';
import {
  type Caller,
  type ContentType,
  configuration,
  FieldError,
  fieldValues,
  isOpen,
  type Kernel,
  profiles,
  type Site,
  type TypeDefinition,
} from '#core';
import { BadRequest, NotFound } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { followUp } from '../upgrades/follow-up.ts';

/** The caller who changes types, and the body of the request. */
export type TypeRequest = { caller: Caller; input: JsonObject };

/** The state that a change of types works with: the site before the change, and the rows that it is made of. */
export type TypeChange = profiles.Change & { rows: configuration.Row[] };

/** Throws BadRequest for texts that cannot be stored, and for JSON that is nested too deep. */
function requireStorable(input: JsonObject): void {
  try {
    fieldValues.checkJson(input);
  } catch (error) {
    if (error instanceof FieldError) throw new BadRequest(`The body cannot be stored: ${error.message}`);
    throw error;
  }
}

/**
 * Runs a change of content types in one transaction, which locks content and configuration: no content can be created of a type that is being
 * removed, and no concurrent change is lost. Throws Unauthorized or Forbidden.
 */
export async function changeTypes<T>(
  kernel: Kernel,
  { caller, input }: TypeRequest,
  work: (change: TypeChange) => Promise<T>,
): Promise<T> {
  requireStorable(input);
  return profiles.changeConfiguration(kernel, { caller }, async (change) =>
    work({ ...change, rows: (await configuration.load(change.tx)).rows }),
  );
}

const isType =
  (id: string) =>
  ({ kind, id: other }: configuration.Row): boolean =>
    kind === configuration.KINDS.type && other === id;

/** Returns the stored type with an id. Throws NotFound with the address `path`. */
export function storedType({ rows }: Pick<TypeChange, 'rows'>, id: string, path: string): TypeDefinition {
  const row = rows.find(isType(id));
  if (!row) throw new NotFound(path);
  return row.data as TypeDefinition;
}

/** Throws BadRequest for a type without the field `title`, unless the type lacked it before. */
function requireTitle(before: Site, after: Site, id: string): void {
  const hasTitle = (site: Site) => site.types.get(id)?.fieldByName.has('title');
  if (hasTitle(after) !== true && hasTitle(before) !== false)
    throw new BadRequest(
      'Every type needs the field "title". Leave on a behavior that brings it, such as "basic" or "dublin_core".',
    );
}

/** Says if the change affects how searches and listings find content by the former fields of the type. */
function isFoundOtherwise(before: ContentType | undefined, after: ContentType | undefined): boolean {
  if (!before || !after) return false;
  const found = ({ fieldByName, indexes, columns }: ContentType) =>
    before.fields.map(({ name }) => {
      const field = fieldByName.get(name);
      const own = indexes.filter((index) => index.field.name === name);
      const shown = [...columns].filter(([, of]) => of === name).map(([column]) => column);
      return [field !== undefined && isOpen(field), own.map((index) => [index.name, index.kind]), shown];
    });
  return !isDeepStrictEqual(found(before), found(after));
}

/** The names of the differing settings and fields of a type. */
function namesOfChange(before: TypeDefinition | undefined, after: TypeDefinition): string[] {
  const differing = (one: object = {}, other: object = {}): string[] =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
      (name) => !isDeepStrictEqual(Reflect.get(one, name), Reflect.get(other, name)),
    );
  return differing(before, after).flatMap((name) =>
    name === 'properties'
      ? differing(before?.properties, after.properties).map((field) => `properties.${field}`)
      : [name],
  );
}

/**
 * Writes a new or changed type once the site has been built with it, so that an impossible type is not stored. An unchanged type is not written.
 * Throws BadRequest.
 */
export async function writeType(change: TypeChange, next: TypeDefinition): Promise<void> {
  const { tx, site, rows } = change;
  const row = rows.find(isType(next.id));
  if (row && isDeepStrictEqual(row.data, JSON.parse(JSON.stringify(next)))) return;
  const positions = rows.filter(({ kind }) => kind === configuration.KINDS.type).map(({ position }) => position);
  const place = {
    kind: configuration.KINDS.type,
    id: next.id,
    position: row?.position ?? Math.max(0, ...positions) + 1,
  };
  const others = rows.filter((other) => other !== row);
  const built = configuration.build(site.version, [...others, { ...place, data: next }], site.registries);
  requireTitle(site, built, next.id);
  const stored = row && (row.data as TypeDefinition);
  const { data, hidden } = await profiles.checkTypeChange(change, { stored, next, built });
  for (const line of hidden) change.kernel.log.warn({ type: next.id, user: change.caller.id }, line);
  await configuration.write(tx, [{ ...place, data }]);
  const done = {
    part: 'type',
    id: next.id,
    ...(row ? { change: 'edited', names: namesOfChange(stored, next) } : { change: 'created' }),
    ...(hidden.length > 0 && { hidden }),
  };
  await change.kernel.events.emit('site.changed', done, { tx, caller: change.caller });
  if (!isFoundOtherwise(site.types.get(next.id), built.types.get(next.id))) return;
  const { kernel, caller } = change;
  await followUp(kernel, tx, { change: { states: [], reindex: [next.id] }, site: built, actor: caller.id });
}
