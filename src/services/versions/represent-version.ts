import { versionNumber } from '../../content/versions.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { parseItemOptions, represent } from '../../serializer/representation.ts';
import type { RequestContext } from '../service.ts';
import { withFilesAt } from './file-addresses.ts';
import { requireVersion } from './need-version.ts';

/** The representation of a former version, of the same shape as that of the present one. Throws NotFound. */
export async function representVersion(context: RequestContext, version: string | number): Promise<JsonObject> {
  const resolved = await requireVersion(context, version);
  const number = versionNumber(version) ?? 0;
  const values = await represent(context, resolved, parseItemOptions(context.searchParams));
  const type = context.site.types.get(resolved.object.type);
  return { ...withFilesAt(context.kernel.fieldKinds, type, values, number), version: String(number) };
}
