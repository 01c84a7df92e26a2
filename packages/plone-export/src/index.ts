/**
 * Reads exports of Plone sites: `openExport` recognises the format and returns a source of objects, users and all else. It does not depend on the
 * server, which passes it the form of links and a log of problems.
 */
export { OLDER_VERSIONS } from './item-keys.ts';
export { tokenOf } from './json-values.ts';
export { openExport, ploneReader, ploneReader as default } from './open-export.ts';
