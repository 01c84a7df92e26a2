import { type Box, boxForWidth, fitInside, type Size } from '../../images/image-scales.ts';
import { parseScaleFileName } from '../../images/open-scale.ts';
import { siteScales } from '../../site/panels/content.ts';
import type { StoredFile } from '../../types/field-kind.ts';
import { type FoundFile, fileNotFound, findFile } from '../download/find-file.ts';
import type { RequestContext } from '../service.ts';

/** What an address of `@@images` means: the original or a scale of the picture; `forever` when it names the bytes. */
export type FoundPicture = FoundFile & { box: Box | 'original'; forever: boolean };

const sizeOf = ({ width = -1, height = -1 }: StoredFile): Size => ({ width, height });

/** The picture that a name with a hash means; undefined when the name is none of that form. */
function byFileName(context: RequestContext, name: string): FoundPicture | undefined {
  const parts = parseScaleFileName(name);
  if (!parts) return undefined;
  const found = findFile(context, '@@images', parts.field, { images: true });
  // The hash is the client's word: only that of the field's own picture opens anything.
  const box =
    parts.hash === found.file.hash ? boxForWidth(sizeOf(found.file), parts.width, siteScales(context.site)) : undefined;
  return box ? { ...found, box, forever: true } : fileNotFound(context, '@@images');
}

/** A scale that would not be smaller than the picture is the picture itself. */
function boxOf(context: RequestContext, size: Size, scale: string): Box | 'original' {
  const scales = siteScales(context.site);
  const box = Object.hasOwn(scales, scale) ? scales[scale] : undefined;
  if (!box) return fileNotFound(context, '@@images');
  return size.width > 0 && fitInside(size, box).width === size.width ? 'original' : box;
}

/** The picture behind `@@images`: `<field>`, `<field>/<scale>` or `<field>-<width>-<hash>.<ext>`. Throws NotFound. */
export function findPicture(context: RequestContext): FoundPicture {
  const [name = '', scale] = context.rest;
  const named = scale === undefined ? byFileName(context, name) : undefined;
  if (named) return named;
  const found = findFile(context, '@@images', name, { images: true });
  return {
    ...found,
    box: scale === undefined ? 'original' : boxOf(context, sizeOf(found.file), scale),
    forever: false,
  };
}
