import { contentPath } from '#core';

/** The file that makes a folder a form of a site. */
export const MARK_FILE = 'canopy.json';
/** The contents of that file: `version` is that of the form. */
export const MARK = { format: 'canopy.folder', version: 1 };
/** Folder of the objects, as the tree has them. */
export const CONTENT = 'content';
/** Folder of files, by their hashes. */
export const FILES = 'files';
/** Folder of the set-up: that of a profile, which `canopy setup import` takes as well. */
export const SETUP = 'setup';
/** The file of an object in its folder. No id becomes such a name. */
export const OBJECT_FILE = '_object.json';
/** The file with the ids of the children of a container in their order. */
export const ORDER_FILE = '_order.json';

/** Characters that some file systems do not take, or that would hide a file. */
const UNSAFE = /[\p{Cc}"*:<>?\\|%]|^[._]|[. ]$/gu;

/** The name of a folder for an id: unsafe characters become their code in percent. */
export const folderName = (id: string): string =>
  id.replace(UNSAFE, (text) => `%${text.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** The id of a folder that was named so. */
export const idOf = (name: string): string =>
  name.replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The folder of an object below that of the whole. */
export const folderOf = (path: string): string => [CONTENT, ...contentPath.names(path).map(folderName)].join('/');

/** The place of a file below the folder of the whole. */
export const filePlace = (hash: string): string => `${FILES}/${hash.slice(0, 2)}/${hash}`;
