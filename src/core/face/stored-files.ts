/** Files of content: what is known of them, how they are named, recognised, measured and scaled, and the fields that take them. */

export { requireFileField as requireField, typeForFile as typeFor } from '../content/file-types.ts';
export {
  cleanFilename as cleanName,
  cleanMediaType,
  prepareFiles as prepare,
  sniffStored as sniff,
} from '../content/prepare-files.ts';
export type { BlobInfo } from '../files/blobs/blob-store.ts';
export { scaleToFit } from '../files/images/make-scale.ts';
export { measureImage as measure } from '../files/images/measure-image.ts';
