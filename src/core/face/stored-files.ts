/** Files of content: their stored data, functions that name, recognise, measure and scale them, and the fields for them. */

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
