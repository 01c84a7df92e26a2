import { createHash } from 'node:crypto';
import type { TestSite, Who } from '../support/site.ts';

/** A recorded response: its JSON, or the length and SHA-256 of its bytes. */
export type Answer = { as: string; path: string; status: number; location?: string; body: unknown };

const MEMBER = { login: 'mia', password: 'Long-enough-77!' };
const CALLERS: Record<string, Who> = { admin: 'admin', anonymous: 'anonymous', member: MEMBER };

/** The password of the member. */
export const MEMBER_PASSWORD = MEMBER.password;

/**
 * Requests about the content and the people of the site. Lists of what the program itself has, such as its panels, are not among
 * them: they grow.
 */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  admin: [
    '/?fullobjects=1',
    '/news?fullobjects=1',
    '/news/a?expand=breadcrumbs,navigation,translations,aliases,workflow,contentrules,workingcopy',
    '/news/a/@history',
    '/news/a/@history/0',
    '/news/paper',
    '/news/paper/@history',
    '/news/paper/@@download/file',
    '/news/dot/@@images/image',
    '/news/a/@comments',
    '/news/a/@aliases',
    '/news/a/@workflow',
    '/news/@sharing',
    '/news/@content-rules',
    '/en/welcome/@translations',
    '/old/address',
    '/instructions/bake',
    '/instructions/bake/@example-rating',
    '/@search?SearchableText=first&metadata_fields=_all',
    '/@search?sort_on=path&b_size=100',
    '/@search?portal_type=Example&metadata_fields=effort',
    '/@querystring-search?query=%7B%22query%22%3A%5B%7B%22i%22%3A%22portal_type%22%2C%22o%22%3A%22plone.app.querystring.operation.selection.any%22%2C%22v%22%3A%5B%22File%22%5D%7D%5D%7D',
    '/@recyclebin',
    '/@users/eva',
    '/@users/mia',
    '/@groups/staff',
    '/@types/Recipe',
    '/@types/Example',
    '/@controlpanels/content-rules',
    '/@controlpanels/mail',
    '/@controlpanels/login-providers',
    '/@scheduled-jobs',
    '/@scheduled-jobs/weekly',
    '/@jobs',
    '/@transactions?b_size=5',
    '/@aliases',
    '/@addons/canopy-addon-example',
    '/@upgrade',
    '/@relations?relation=relatedItems',
  ],
  anonymous: [
    '/',
    '/news',
    '/news/a',
    '/news/a/@comments',
    '/instructions/bake',
    '/@search?SearchableText=first',
    '/@users',
  ],
  member: ['/', '/news/a', '/instructions', '/@search?SearchableText=first', '/news/a/@history', '/@recyclebin'],
};

/** Members that depend on the time: the next run of a job, and locks, which expire. */
const isVolatile = (key: string): boolean => ['next_run', 'lock'].includes(key);

const withoutVolatile = (body: unknown): unknown =>
  body === undefined
    ? undefined
    : JSON.parse(JSON.stringify(body), (key, value: unknown) => (isVolatile(key) && value !== null ? '…' : value));

/** Sends all requests, one after the other. */
export async function answersFrom(site: Pick<TestSite, 'request'>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const [as, paths] of Object.entries(PATHS))
    for (const path of paths) {
      const { status, headers, bytes, body } = await site.request('GET', path, { as: CALLERS[as] ?? 'anonymous' });
      const location = headers.get('location');
      const digest = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
      answers.push({
        ...{ as, path, status },
        ...(location !== null && { location }),
        body: body === undefined ? digest : withoutVolatile(body),
      });
    }
  return answers;
}
