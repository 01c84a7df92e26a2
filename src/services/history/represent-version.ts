import { versionNumber } from '../../content/version-number.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { readItemOptions } from '../../serializer/item-options.ts';
import { represent } from '../../serializer/representation.ts';
import type { Call } from '../service.ts';
import { withFilesAt } from './file-addresses.ts';
import { needVersion } from './need-version.ts';

/** The representation of a former version, of the same shape as that of the present one. Throws NotFound. */
export async function representVersion(call: Call, version: string | number): Promise<JsonObject> {
  const located = await needVersion(call, version);
  const number = versionNumber(version) ?? 0;
  const values = await represent(call, located, readItemOptions(call.query));
  const type = call.site.types.get(located.object.type);
  return { ...withFilesAt(call.kernel.fieldKinds, type, values, number), version: String(number) };
}
