import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { peopleOf } from './people-site.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const picture = (data = PNG, type = 'image/png', filename = 'me.png') => ({
  portrait: { data, encoding: 'base64', 'content-type': type, filename },
});

describeEachEngine('portraits', (engine) => {
  const site = useTestSite(engine);
  const { fresh, as, addUser, read } = peopleOf(site);
  const patch = async (user: string, json: object, who = as(user)) =>
    (await site.request('PATCH', `/@users/${user}`, { as: who, json })).status;
  const get = (path: string, options = {}) => site.request('GET', path, options);

  it('users upload their portrait, which is served inline with an entity tag at the address they get', async () => {
    const user = await addUser();
    expect((await get(`/@portrait/${user}`)).status).toBe(404);
    expect((await read(`/@users/${user}`)).portrait).toBeNull();
    expect(await patch(user, picture())).toBe(204);
    const { portrait } = await read(`/@users/${user}`);
    expect(portrait).toBe(`${site.url}/@portrait/${user}`);
    const image = await get(portrait, { as: 'anonymous' });
    expect(image.bytes.equals(Buffer.from(PNG, 'base64'))).toBe(true);
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(image.headers.get('content-disposition')).toMatch(/^inline; filename="me.png"/);
    const etag = image.headers.get('etag') ?? '';
    expect((await get(portrait, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await get('/@portrait', { as: as(user) })).bytes.equals(image.bytes)).toBe(true);
    expect((await get('/@portrait', { as: 'anonymous' })).status).toBe(404);
    expect((await get('/@portrait/nobody')).status).toBe(404);
  });

  it('a portrait stays when its address is sent back and is removed by null', async () => {
    const user = await addUser([], picture());
    const before = await read(`/@users/${user}`);
    expect(before.portrait).toMatch(/@portrait/);
    expect(await patch(user, before)).toBe(204);
    expect((await get(`/@portrait/${user}`)).status).toBe(200);
    expect(await patch(user, { portrait: null })).toBe(204);
    expect((await get(`/@portrait/${user}`)).status).toBe(404);
  });

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>'],
    ['SVG that claims to be PNG', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'],
  ])('a portrait that is %s is served as an attachment', async (name, text) => {
    const user = await addUser();
    const type = name === 'SVG' ? 'image/svg+xml' : 'image/png';
    expect(await patch(user, picture(Buffer.from(text).toString('base64'), type, 'me.svg'))).toBe(204);
    const image = await get(`/@portrait/${user}`);
    expect(image.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(image.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  it.each([
    ['a page', picture(Buffer.from('<html><script>1</script>').toString('base64'))],
    ['a text', picture(Buffer.from('hello').toString('base64'), 'text/plain', 'a.txt')],
    ['no base64', picture('%%%')],
    ['no data', { portrait: { data: 7 } }],
  ])('a portrait that is %s is rejected', async (_, json) => {
    const user = await addUser();
    expect(await patch(user, json)).toBe(400);
    expect((await get(`/@portrait/${user}`)).status).toBe(404);
  });

  it('a portrait is made smaller on request', async () => {
    const sharp = (await import('sharp')).default;
    const large = await sharp({ create: { width: 1200, height: 600, channels: 3, background: '#c00' } })
      .jpeg()
      .toBuffer();
    const user = await addUser();
    const { portrait } = picture(large.toString('base64'), 'image/jpeg', 'me.jpg');
    expect(await patch(user, { portrait: { ...portrait, scale: true } })).toBe(204);
    const { width, height } = await sharp((await get(`/@portrait/${user}`)).bytes).metadata();
    expect([width, height]).toEqual([300, 150]);
  });

  it('portraits are changed by their users and by managers of users, except those of Managers', async () => {
    const [user, other] = [await addUser(), await addUser()];
    const helper = await addUser(['Site Administrator']);
    const manager = await addUser(['Manager']);
    expect(await patch(user, picture(), as(other))).toBe(403);
    expect(await patch(user, picture(), as(helper))).toBe(204);
    expect(await patch(manager, picture(), as(helper))).toBe(403);
    expect((await get(`/@portrait/${manager}`)).status).toBe(404);
    expect((await site.request('PATCH', `/@users/${user}`, { as: 'anonymous', json: { portrait: null } })).status).toBe(
      401,
    );
    expect((await get(`/@portrait/${user}`)).status).toBe(200);
    expect((await get(`/@portrait/${fresh('nobody')}`)).status).toBe(404);
  });
});
