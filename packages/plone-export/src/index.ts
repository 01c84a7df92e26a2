/**
 * Reads exports of Plone sites: `openExport` recognises the format and returns a source of objects, users and all else. It depends on
 * nothing of the server, which gives it what its links look like and a log of problems.
 */
export { isFileError } from './export-folder.ts';
export { uidFromPath } from './item-index.ts';
export { OLDER_VERSIONS } from './item-keys.ts';
export { isEmptyValue, isJsonObject, memberOf, tokenOf } from './json-values.ts';
export type {
  ExportedAddress,
  ExportedComment,
  ExportedFile,
  ExportedGroup,
  ExportedItem,
  ExportedPart,
  ExportedPermission,
  ExportedRedirect,
  ExportedTranslationGroup,
  ExportedUser,
  ExportedVersion,
  ExportFormat,
  ExportSource,
} from './model.ts';
export type { LinkForms } from './old-links.ts';
export { type ExportOptions, openExport } from './open-export.ts';
export { ExportError, type ExportProblem, type ProblemLog } from './problems.ts';
