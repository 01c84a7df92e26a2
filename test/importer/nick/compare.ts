import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../support/site.ts';

/** Members that are about the server and the moment, not about the content. */
const OF_SERVER = new Set(['@id', '@components', 'lock', 'layout', 'items']);

/** A value without the address of its server, dates as moments. */
function plain(value: Json, address: string): Json {
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)$/.test(value)) return Math.floor(Date.parse(value) / 1000);
    return value.replaceAll(address, '');
  }
  if (Array.isArray(value)) return value.map((entry) => plain(entry, address));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry, address)]));
}

/** The members of a response of Nick that another server responds otherwise, with both values. */
export function differences(nick: Json, here: Json, addresses: { nick: string; here: string }): string[] {
  return Object.entries(nick).flatMap(([name, value]) => {
    if (OF_SERVER.has(name)) return [];
    const [theirs, ours] = [plain(value, addresses.nick), plain(here[name], addresses.here)];
    // An empty field that types here do not have, such as `attendies`, is no loss.
    const isAbsent = ours === undefined && isDeepStrictEqual(theirs, []);
    return isAbsent || isDeepStrictEqual(theirs, ours)
      ? []
      : [`${name}: ${JSON.stringify(theirs)} / ${JSON.stringify(ours)}`];
  });
}
