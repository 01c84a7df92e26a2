import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import type { ContentType } from '../../types/content-type.ts';
import type { FieldKinds } from '../../types/field-kinds.ts';

/** A served file with the addresses of its bytes, and of its scales, as they were in a version. */
function fileAt(file: JsonObject, version: number): JsonObject {
  const { download, scales } = file;
  return {
    ...file,
    ...(typeof download === 'string' ? { download: `${download}?version=${version}` } : {}),
    ...(isJsonObject(scales)
      ? {
          scales: Object.fromEntries(
            Object.entries(scales).map(([name, scale]) => [name, isJsonObject(scale) ? fileAt(scale, version) : scale]),
          ),
        }
      : {}),
  };
}

/** The served values of a version, whose files are at addresses of that version: without it the present file would come. */
export function withFilesAt(
  kinds: FieldKinds,
  type: ContentType | undefined,
  values: JsonObject,
  version: number,
): JsonObject {
  const files = (type?.fields ?? []).flatMap((field) => {
    const value = values[field.name];
    return kinds.of(field).holds && isJsonObject(value) ? [[field.name, fileAt(value, version)] as const] : [];
  });
  const { targetUrl } = values;
  const leads = files.some(([name]) => {
    const value = values[name];
    return isJsonObject(value) && value.download === targetUrl;
  });
  return {
    ...values,
    ...Object.fromEntries(files),
    ...(leads ? { targetUrl: `${targetUrl}?version=${version}` } : {}),
  };
}
