/**
 * The contract of readers: what a reader of other sites is, what it yields, and what it reports. `canopy import` takes readers of this
 * contract. It depends on nothing, and not on the server.
 */
export { type BlockContext, htmlBlocks, type VoltoBlock } from './blocks/blocks.ts';
export { type BlockFields, blockFields } from './blocks/layout.ts';
export { attribute, type HtmlElement, type HtmlNode, isElement, isTooDeep, textOf } from './blocks/tree.ts';
export { type ByteRange, type ExportFolder, MAX_JSON_BYTES, openExportFolder } from './export-folder.ts';
export { isFileError } from './files.ts';
export { makeItem, nothing, parentPathOf } from './items.ts';
export {
  isDeeperThan,
  isEmptyValue,
  isJsonObject,
  isWithoutZone,
  type JsonObject,
  memberOf,
  numberOrNull,
  parseDate,
  stringOf,
  stringOrNull,
  stringsOf,
} from './json.ts';
export { parseJson, utf16Of } from './json-text.ts';
export { decodedAddress, relinked } from './links.ts';
export type {
  ExportedAddress,
  ExportedComment,
  ExportedConstrains,
  ExportedFile,
  ExportedGroup,
  ExportedItem,
  ExportedPart,
  ExportedPermission,
  ExportedRedirect,
  ExportedRelation,
  ExportedTranslationGroup,
  ExportedType,
  ExportedUser,
  ExportedVersion,
  ExportedWorkflowEntry,
  ExportSource,
} from './model.ts';
export { ExportError, type ExportProblem, type ProblemLog, type ProblemReason } from './problems.ts';
export {
  CONTRACT,
  chosen,
  defineReader,
  type LinkForms,
  type OutsideResponse,
  type ReaderOption,
  type ReadOptions,
  type RequestOutside,
  type SiteReader,
} from './reader.ts';
export { groupBy, loadAhead, once, parentsFirst } from './sequences.ts';
export { uidFromPath } from './uids.ts';
