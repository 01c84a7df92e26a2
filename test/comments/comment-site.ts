import { expect } from 'vitest';
import { addPerson } from '../content/people.ts';
import type { Exchange, Json, Who } from '../support/site.ts';
import type { SharedSite } from '../support/use-site.ts';

/** Helpers of tests about comments. */
export function commentsOf(site: SharedSite) {
  let made = 0;
  const requirePermission = async (
    status: number,
    ...request: Parameters<SharedSite['request']>
  ): Promise<Exchange> => {
    const response = await site.request(...request);
    expect([response.status, response.text]).toEqual([status, response.text]);
    return response;
  };
  const send = (method: string, address: string, json: Json, as: Who = 'admin') =>
    site.request(method, address, { json, as });

  return {
    requirePermission,
    send,
    /** A new user with the roles. */
    async person(roles: string[] = ['Member']): Promise<{ id: string; token: string }> {
      made += 1;
      const id = `person${made}`;
      return { id, ...(await addPerson(site, { id, roles })) };
    },
    /** A published page. */
    async page(fields: Json = {}): Promise<string> {
      made += 1;
      const id = `page${made}`;
      await requirePermission(201, 'POST', '/', { json: { '@type': 'Page', id, title: id, ...fields } });
      await requirePermission(200, 'POST', `/${id}/@workflow/publish`, { json: {} });
      return `/${id}`;
    },
    /** Changes the panel of comments. */
    async set(json: Json): Promise<void> {
      await requirePermission(204, 'PATCH', '/@controlpanels/discussion', { json });
    },
    /** Comments on a page, or replies to the comment at `address`; returns the address of the new comment. */
    async comment(address: string, text: string, as: Who = 'admin'): Promise<string> {
      const target = address.includes('/@comments/') ? address : `${address}/@comments`;
      const { headers } = await requirePermission(204, 'POST', target, { json: { text }, as });
      return headers.get('location')?.slice(site.url.length) ?? '';
    },
    async list(page: string, as: Who = 'admin'): Promise<Json> {
      return (await requirePermission(200, 'GET', `${page}/@comments`, { as })).body;
    },
    /** The total and the texts of the comments that a user sees. */
    async texts(page: string, as: Who = 'admin'): Promise<[number, ...string[]]> {
      const { items, items_total: total } = (await requirePermission(200, 'GET', `${page}/@comments`, { as })).body;
      return [total, ...items.map(({ text }: Json) => text.data)];
    },
    status: async (method: string, address: string, as: Who = 'admin', json?: Json): Promise<number> =>
      (await site.request(method, address, { as, ...(json === undefined ? {} : { json }) })).status,
  };
}
