import { isAbsolute } from 'node:path';
import { isJsonObject } from '../../lib/json-object.ts';

/** A page that a feature adds to `/@manage`. A browser loads its module once somebody opens it. */
export type ManagePage = {
  /** Its address: `/@manage/addon/<name>`. Up to 100 small letters, digits, `_` and `-`. */
  name: string;
  /** Its entry in the menu and its heading, in English; `messages` of the feature translate it. */
  title: string;
  /** The permission at the root of the site without which the page is neither listed nor sent. Services decide by their own. */
  permission: string;
  /**
   * The file of an ECMAScript module without imports that need to be resolved, such as `new URL('../manage/page.js', import.meta.url)`. Its default
   * export fills an element (docs/add-ons.md). The start reads it. The server sends it to those who have the
   * permission.
   */
  module: string | URL;
};

const NAME = /^[a-z][a-z0-9_-]{0,99}$/;

/** Returns the problem of a page; undefined for a correct one. */
export function managePageProblem(page: unknown): string | undefined {
  if (!isJsonObject(page) || typeof page.name !== 'string' || !NAME.test(page.name))
    return 'must have a name of small letters, digits, _ and -';
  const { name, title, permission, module } = page;
  if (typeof title !== 'string' || title.trim() === '') return `"${name}" must have a title`;
  if (typeof permission !== 'string') return `"${name}" must have a permission`;
  const isFile = module instanceof URL ? module.protocol === 'file:' : typeof module === 'string' && isAbsolute(module);
  return isFile ? undefined : `"${name}" must have a module: the absolute path or the file: URL of a file`;
}
