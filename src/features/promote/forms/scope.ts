/** The part of a place that is compared: what is at and below a path, of these types, or these objects. */
export type Scope = {
  /** A path of the site; `/` for all of it. */
  path: string;
  /** Undefined for all types. */
  types: readonly string[] | undefined;
  /** UIDs or paths; undefined for all objects. */
  objects: ReadonlySet<string> | undefined;
};

/** Says if an object belongs to a scope. */
export const isWithin = (
  { path, types, objects }: Scope,
  object: { uid: string; path: string; type: string },
): boolean =>
  (path === '/' || object.path === path || object.path.startsWith(`${path}/`)) &&
  (types === undefined || types.includes(object.type)) &&
  (objects === undefined || objects.has(object.uid) || objects.has(object.path));
