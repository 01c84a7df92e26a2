import type { Json, RequestOptions } from '../../support/site.ts';
import type { SharedSite } from '../../support/use-site.ts';

/** The context of the checks of effects. */
export type EffectSite = {
  site: SharedSite;
  /** Changes settings of a panel over HTTP. */
  set(panel: string, values: Json): Promise<void>;
  /** The body of a response with status 200. */
  read(path: string, options?: RequestOptions): Promise<Json>;
  /** Creates a published page, or other content as the data say; returns its path. */
  create(data?: Json): Promise<string>;
  /** Returns another name with each call. */
  fresh(prefix: string): string;
};

/** By `<panel>.<name>`: shows the effect of a setting, what differs before and after it is changed. */
export type Effects = Record<string, (context: EffectSite) => Promise<void>>;

/** Changes a site and sends requests to it. */
export function effectSite(site: SharedSite): EffectSite {
  let made = 0;
  const fresh = (prefix: string) => `${prefix}${++made}`;
  const requirePermission = async (status: number, ...request: Parameters<SharedSite['request']>): Promise<Json> => {
    const response = await site.request(...request);
    if (response.status !== status) throw new Error(`${request[0]} ${request[1]}: ${response.status} ${response.text}`);
    return response.body;
  };
  return {
    site,
    fresh,
    async set(panel, values) {
      await requirePermission(204, 'PATCH', `/@controlpanels/${panel}`, { json: values });
    },
    read: (path, options) => requirePermission(200, 'GET', path, options),
    async create(data = {}) {
      const id = fresh('page');
      const body = await requirePermission(201, 'POST', '/', { json: { '@type': 'Page', id, title: id, ...data } });
      const path: string = body['@id'].slice(site.url.length);
      if (body.review_state === 'private')
        await requirePermission(200, 'POST', `${path}/@workflow/publish`, { json: {} });
      return path;
    },
  };
}
