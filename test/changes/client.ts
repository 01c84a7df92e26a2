import type { TestSite, Who } from '../support/site.ts';
import type { SharedSite } from '../support/use-site.ts';

/** An event as a test compares it. */
export type Item = {
  id: string;
  event: string;
  path: string;
  '@id': string;
  UID: string;
  '@type': string;
  fields: string[];
  state: { from: string | null; to: string | null } | null;
  before: { path: string } | null;
  after: { path: string } | null;
  keys: string[];
};
export type Page = { items: Item[]; cursor: string; more: boolean };

type Site = Pick<TestSite | SharedSite, 'request'>;

/** One request to the feed. */
export async function changesOf(site: Site, as: Who, query: Record<string, string> = {}): Promise<Page> {
  const response = await site.request('GET', `/@changes?${new URLSearchParams(query)}`, { as });
  if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`);
  return JSON.parse(response.text);
}

/** The cursor of now. */
export const now = async (site: Site, as: Who): Promise<string> => (await changesOf(site, as, { since: 'now' })).cursor;

/** All events since a cursor. */
export async function allSince(site: Site, as: Who, since: string, query: Record<string, string> = {}): Promise<Page> {
  const items: Item[] = [];
  for (let cursor = since; ; ) {
    const page = await changesOf(site, as, { ...query, since: cursor });
    items.push(...page.items);
    cursor = page.cursor;
    if (!page.more) return { items, cursor, more: false };
  }
}

/** Events in short: `moved /a → /b`. */
export const short = ({ event, before, after, fields, state }: Item): string =>
  [
    event,
    event === 'moved' ? `${before?.path} → ${after?.path}` : (after ?? before)?.path,
    ...(fields.length > 0 ? [fields.join()] : []),
    ...(state ? [`${state.from}→${state.to}`] : []),
  ].join(' ');
