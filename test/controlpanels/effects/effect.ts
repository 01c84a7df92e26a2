import type { Json, RequestOptions } from '../../support/site.ts';
import type { SharedSite } from '../../support/use-site.ts';

/** What the checks of effects work with. */
export type EffectSite = {
  site: SharedSite;
  /** Changes settings of a panel over HTTP. */
  set(panel: string, values: Json): Promise<void>;
  /** The body of an answer of 200. */
  read(path: string, options?: RequestOptions): Promise<Json>;
  /** Creates a published page, or what the data say; answers its path. */
  create(data?: Json): Promise<string>;
  /** Another name with each call. */
  fresh(prefix: string): string;
};

/** Shows the effect of one setting: what is different before and after it is changed. By `<panel>.<name>`. */
export type Effects = Record<string, (context: EffectSite) => Promise<void>>;

/** Changes and reads a site. */
export function effectSite(site: SharedSite): EffectSite {
  let made = 0;
  const fresh = (prefix: string) => `${prefix}${++made}`;
  const requirePermission = async (status: number, ...request: Parameters<SharedSite['request']>): Promise<Json> => {
    const answer = await site.request(...request);
    if (answer.status !== status) throw new Error(`${request[0]} ${request[1]}: ${answer.status} ${answer.text}`);
    return answer.body;
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
