/** Calls a site by openapi-fetch with the types of openapi-typescript. A mark above what may not be done is an error where it may. */
import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

const [baseUrl = '', token = ''] = process.argv.slice(2);
const client = createClient<paths>({
  baseUrl,
  headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
});

function check(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}

const { data, response } = await client.GET('/{path}', {
  params: { path: { path: 'news/today' }, query: { expand: ['breadcrumbs', 'navigation'] } },
});
if (!data) throw new Error(`GET returned ${response.status}`);
check(data['@id'].endsWith('/news/today'), data['@id']);
if (data['@type'] === 'Page') {
  const subjects: string[] | null = data.subjects;
  const picture: number | undefined = data.preview_image?.width;
  check(subjects?.join() === 'sun' && picture === undefined, 'The fields of the page are others.');
  // @ts-expect-error a page has no address of a link
  check(data.remoteUrl === undefined, 'A page has a link.');
}
const crumbs = data['@components'].breadcrumbs;
check(crumbs !== undefined && 'items' in crumbs && crumbs.items[1]?.title === 'Today', 'The breadcrumbs are others.');

const page: components['schemas']['PageCreate'] = { '@type': 'Page', title: 'By TypeScript' };
const made = await client.POST('/{path}', { params: { path: { path: 'news' } }, body: page });
const title = made.data && 'title' in made.data ? made.data.title : undefined;
check(title === 'By TypeScript', `POST returned ${made.response.status}`);
// @ts-expect-error a title is a text
const wrong = await client.POST('/{path}', { params: { path: { path: 'news' } }, body: { '@type': 'Page', title: 5 } });
check(wrong.response.status === 400 && wrong.error?.type === 'BadRequest', `POST returned ${wrong.response.status}`);

const changed = await client.PATCH('/{path}', {
  params: { path: { path: 'news/by-typescript' } },
  body: { description: 'Typed' },
});
check(changed.response.status === 204, `PATCH returned ${changed.response.status}`);
const found = await client.GET('/{path}/@search', {
  params: { path: { path: 'news' }, query: { SearchableText: 'TypeScript' } },
});
const total = found.data && 'items_total' in found.data ? found.data.items_total : 0;
check(total === 1, `The search found ${JSON.stringify(found.data)}`);
console.log('PASSED');
