import { Readable } from 'node:stream';
import { ConfigError } from '#core';
import { ClientError } from '#lib/errors';
import { isJsonObject } from '#lib/json-object';
import { HOUR_MS } from '#lib/time/milliseconds';
import type { ObjectForm } from '../forms/object-form.ts';
import { isWithin } from '../forms/scope.ts';
import { memberOf, type Place } from './place.ts';
import { applyAt, proposeAt } from './remote-apply.ts';
import { type RemoteSite, send } from './remote-site.ts';

/** Milliseconds for a file. */
const FILE_TIMEOUT_MS = HOUR_MS;
/** UIDs in one address. */
const MAX_UIDS = 50;

const itemsOf = (body: unknown): ObjectForm[] => {
  const items = memberOf(body, 'items');
  if (!Array.isArray(items)) throw new ConfigError('The site does not respond as Canopy does. Is its version older?');
  // The other site checks what it returns against the same schema.
  return items as ObjectForm[];
};

/** Says if a site has nothing at a path, or something that was moved away. */
const isElsewhere = (error: unknown): boolean =>
  error instanceof ClientError && (error.status === 404 || (error.status >= 300 && error.status < 400));

/** A site at an address, read and changed with the rights of a token. */
export function remotePlace(site: RemoteSite): Place {
  const json = async (path: string): Promise<unknown> => (await send(site, path)).json();
  return {
    label: site.address,
    async *objects(scope) {
      const { path, types = [] } = scope;
      const isRoot = path === '/';
      const base = isRoot ? '' : path.split('/').map(encodeURIComponent).join('/');
      for (let after: unknown = ''; typeof after === 'string'; ) {
        const query = new URLSearchParams({ after, ...(types.length > 0 && { type: types.join(',') }) });
        const page = await json(`${base}/@promotion?${query}`).catch((error: unknown) => {
          if (isRoot || !isElsewhere(error)) throw error;
          return undefined;
        });
        if (page === undefined) return;
        yield* itemsOf(page).filter((item) => isWithin(scope, item));
        after = memberOf(page, 'next');
      }
    },
    async load(uids) {
      const found: ObjectForm[] = [];
      for (let at = 0; at < uids.length; at += MAX_UIDS) {
        const query = new URLSearchParams({ uid: uids.slice(at, at + MAX_UIDS).join(',') });
        found.push(...itemsOf(await json(`/@promotion?${query}`)));
      }
      return found;
    },
    async setup() {
      const body = await json('/@promotion/set-up');
      const [files, notes] = [memberOf(body, 'files'), memberOf(body, 'notes')];
      return {
        files: new Map(isJsonObject(files) ? Object.entries(files) : []),
        notes: Array.isArray(notes) ? notes.map(String) : [],
      };
    },
    async file(hash, uid) {
      const address = `/@promotion/files/${hash}?uid=${encodeURIComponent(uid)}`;
      const { body } = await send(site, address, { timeoutMs: FILE_TIMEOUT_MS });
      return Readable.from(body ?? []);
    },
    apply: (application) => applyAt(site, application),
    propose: (application, words) => proposeAt(site, application, words),
    close: async () => {},
  };
}
