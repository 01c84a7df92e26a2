/** The site root's path. */
export const ROOT = '/';

/** Path of a child: `/` and `a` give `/a`. */
export const childPath = (parent: string, name: string): string => (parent === ROOT ? `/${name}` : `${parent}/${name}`);

/** Names along a path, from the root: `/a/b` gives `a`, `b`. */
export const namesOf = (path: string): string[] => (path === ROOT ? [] : path.slice(1).split('/'));

/** The last name of a path; empty for the root. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The paths on the way from the root to `path`, both included. */
export function pathsTo(path: string): string[] {
  const paths = [ROOT];
  for (const name of namesOf(path)) paths.push(childPath(paths.at(-1) ?? ROOT, name));
  return paths;
}

/** Path of the container; undefined for the root. */
export function parentPath(path: string): string | undefined {
  if (path === ROOT) return undefined;
  return path.slice(0, path.lastIndexOf('/')) || ROOT;
}

/** Says if `path` is `container` itself or lies below it. `/news-archive` does not lie below `/news`. */
export const isAtOrBelow = (path: string, container: string): boolean =>
  path === container || container === ROOT || path.startsWith(`${container}/`);
