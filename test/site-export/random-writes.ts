import fc from 'fast-check';
import { expect } from 'vitest';
import { PAGE } from '../support/profiles.ts';
import type { TestSite } from '../support/site.ts';
import { file, ODD_NAME, picture } from './furnish.ts';

const TYPES = ['Folder', PAGE, 'Event', 'Link', 'News Item', 'File', 'Image'];

const word = fc.constantFrom(
  ...[
    'harbour',
    'Cafe\u0301',
    'Caf\u00e9',
    '\u540d\u524d',
    '\u05e9\u05dc\u05d5\u05dd',
    '😀',
    '"',
    "'",
    '\\',
    '\u2028',
    '<b>',
    '&amp;',
    '%2F',
  ],
);

/** One write; `at` and `to` choose among the existing objects. */
export const write = fc.record({
  kind: fc.constantFrom(
    ...['create', 'create', 'create', 'create', 'change', 'file', 'rename', 'transition', 'share', 'order', 'remove'],
    ...[
      'restore',
      'move',
      'copy',
      'comment',
      'relate',
      'alias',
      'user',
      'group',
      'setting',
      'type',
      'checkOut',
      'checkIn',
    ],
    ...['translate', 'page', 'lock'],
  ),
  at: fc.nat(60),
  to: fc.nat(60),
  type: fc.constantFrom(...TYPES),
  title: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
  flag: fc.boolean(),
});
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

const bodyOf = ({ type, title, flag }: Write): object => {
  if (type === 'Event')
    return { start: '2030-01-31T10:00:00Z', end: '2030-01-31T11:00:00Z', recurrence: 'RRULE:FREQ=MONTHLY;COUNT=5' };
  if (type === 'File') return { file: file(flag ? ODD_NAME : `${title}.txt`, title) };
  if (type === 'Image') return { image: { ...picture, filename: `${title}.png` } };
  if (type === 'Link') return { remoteUrl: 'https://example.org/ü' };
  return {
    blocks: { a: { '@type': 'slate', plaintext: title, value: [{ type: 'p', children: [{ text: title }] }] } },
    blocks_layout: { items: ['a'] },
  };
};

/** Does writes one after the other. What the server refuses is no write; a fault of the server fails the test. */
export async function live(site: TestSite, writes: readonly Write[]): Promise<void> {
  const send = async (method: string, path: string, json?: unknown) => {
    const answer = await site.request(method, path || '/', json === undefined ? {} : { json });
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(500);
    return answer;
  };
  for (const one of writes) {
    const rows = await site.kernel.db.query<{ path: string }>({ text: 'select path from content order by oid' });
    const paths = rows.map(({ path }) => (path === '/' ? '' : path));
    const pick = (at: number): string => (paths[at % paths.length] ?? '').split('/').map(encodeURIComponent).join('/');
    await apply(one, pick(one.at), pick(one.to), send);
  }
}

type Send = (
  method: string,
  path: string,
  json?: unknown,
) => Promise<{ status: number; body: { items?: { recycle_id?: string }[] } }>;

async function apply(one: Write, path: string, other: string, send: Send): Promise<void> {
  const { kind, type, title, flag, at } = one;
  const name = `n${at}`;
  if (kind === 'create')
    await send('POST', path, { '@type': type, title, language: flag ? 'en' : 'de', ...bodyOf(one) });
  if (kind === 'change')
    await send('PATCH', path, { title, description: title, subjects: [title], pin: title, changeNote: title });
  if (kind === 'file') await send('PATCH', path, { file: file(`${title}.md`, title), image: flag ? picture : null });
  if (kind === 'page')
    await send('PATCH', path, { default_page: flag ? other.split('/').at(-1) : null, layout: 'listing_view' });
  if (kind === 'rename' && path !== '')
    await send('POST', `${path.slice(0, path.lastIndexOf('/'))}/@move`, { source: path, id: name });
  if (kind === 'transition')
    await send('POST', `${path}/@workflow/${flag ? 'publish' : 'retract'}`, { comment: title });
  if (kind === 'share')
    await send('POST', `${path}/@sharing`, {
      entries: [{ id: 'eva', type: 'user', roles: { Editor: flag } }],
      inherit: !flag,
    });
  if (kind === 'order')
    await send('PATCH', path, {
      ordering: { obj_id: decodeURIComponent(other.split('/').at(-1) ?? ''), delta: flag ? 'top' : 1 },
    });
  if (kind === 'remove' && path !== '' && path !== '/news') await send('DELETE', path);
  if (kind === 'restore') {
    const { body } = await send('GET', '/@recyclebin');
    const entry = body.items?.[at % (body.items.length || 1)]?.recycle_id;
    if (entry !== undefined) await send('POST', `/@recyclebin/${entry}/restore`, {});
  }
  if ((kind === 'move' || kind === 'copy') && path !== '') await send('POST', `${other}/@${kind}`, { source: path });
  if (kind === 'comment') await send('POST', `${path}/@comments`, { text: title });
  if (kind === 'relate') await send('PATCH', path, { relatedItems: [other || '/'] });
  if (kind === 'alias') await send('POST', `${path}/@aliases`, { items: [`/was/${name}`] });
  if (kind === 'user')
    await send('POST', '/@users', {
      username: name,
      email: `${name}@example.org`,
      password: 'Long-enough-77!',
      fullname: title,
    });
  if (kind === 'group') await send('POST', '/@groups', { groupname: `g${at}`, title, users: [flag ? 'eva' : name] });
  if (kind === 'setting') await send('PATCH', '/@controlpanels/site', { site_title: title });
  if (kind === 'type') await send('POST', '/@controlpanels/dexterity-types', { title: `Kind ${at}` });
  if (kind === 'checkOut') await send('POST', `${path}/@workingcopy`);
  if (kind === 'checkIn') await send(flag ? 'PATCH' : 'DELETE', `${path}/@workingcopy`);
  if (kind === 'translate') await send('POST', `${path}/@translations`, { id: other });
  if (kind === 'lock') await send('POST', `${path}/@lock`);
}
