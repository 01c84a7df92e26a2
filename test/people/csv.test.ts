import { describe, expect, it } from 'vitest';
import { BadRequest } from '../../src/lib/errors.ts';
import { formatCsv, parseCsv } from '../../src/lib/text/csv.ts';
import { describeEachEngine } from '../support/database.ts';
import type { TestSite } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { PASSWORD, peopleOf } from './people-site.ts';

describe('CSV', () => {
  it('CSV text has no cells that run as formulas, and parses to the values that were written', () => {
    const cells = ['=1+1', '+1', '-1', '@x', '\tx', "'=1", 'plain', 'a "b", c', 'two\nlines', ''];
    const text = formatCsv([cells.map((_, i) => `c${i}`), cells]);
    expect(text).toContain("'=1+1,'+1,'-1,'@x,");
    expect(Object.values(parseCsv(text, { max: 10 })[0]?.cells ?? {})).toEqual(cells);
  });

  it('invalid and too long CSV text is rejected with its line', () => {
    for (const text of ['a,b\n1,2\n1,2,3\n', 'a,b\n"1,2\n', 'a,a\n1,2\n', 'a\n1\n2\n3\n'])
      expect(() => parseCsv(text, { max: 2 }), text).toThrow(BadRequest);
    expect(() => parseCsv('a,b\n1,2\n1,2,3\n', { max: 9 })).toThrow(/line 3/);
    expect(parseCsv('\ufeffa,b\r\n1,2\r\n\r\n', { max: 2 })).toEqual([{ line: 2, cells: { a: '1', b: '2' } }]);
  });
});

describeEachEngine('users as CSV', (engine) => {
  const site = useTestSite(engine);
  const { as, addUser, addGroup, read } = peopleOf(site);
  const send = (text: string, who: Parameters<TestSite['request']>[2] = {}) =>
    site.request('POST', '/@users', {
      ...who,
      headers: { 'Content-Type': 'multipart/form-data; boundary=xyz' },
      body: `--xyz\r\nContent-Disposition: form-data; name="file"; filename="users.csv"\r\nContent-Type: text/csv\r\n\r\n${text}\r\n--xyz--\r\n`,
    });

  it('managers of users get all users as a CSV attachment without working formulas', async () => {
    const group = await addGroup();
    const user = await addUser(['Editor', 'Member'], { fullname: '=HYPERLINK("http://evil")', groups: [group] });
    const answer = await site.request('GET', `/@users?query=${user}`, { headers: { Accept: 'text/csv' } });
    expect(answer.headers.get('content-disposition')).toContain('attachment; filename="users.csv"');
    expect(answer.headers.get('content-type')).toContain('text/csv');
    expect(answer.text.split('\r\n')).toEqual([
      'id,username,fullname,email,roles,groups',
      `${user},${user},"'=HYPERLINK(""http://evil"")",${user}@example.org,"Editor, Member","AuthenticatedUsers, ${group}"`,
      '',
    ]);
    const refused = await site.request('GET', '/@users', { as: as(user), headers: { Accept: 'text/csv' } });
    expect(refused.status).toBe(403);
  });

  it('users are created from a CSV file with roles, groups and properties', async () => {
    const group = await addGroup();
    const { status, body } = await send(
      `username,email,fullname,description,roles,groups,home_page,password\r\njdoe,jdoe@example.com,John Doe,"Text, with comma","Member, Contributor",${group},https://jdoe.dev,${PASSWORD}\nasmith,asmith@example.com,Alice,,,,,${PASSWORD}\n`,
    );
    expect([status, body.items_total, body.items.map(({ id }: { id: string }) => id)]).toEqual([
      201,
      2,
      ['jdoe', 'asmith'],
    ]);
    expect(body.items[0]).toMatchObject({ description: 'Text, with comma', roles: ['Contributor', 'Member'] });
    expect((await read(`/@groups/${group}`)).members.items).toEqual(['jdoe']);
    expect((await site.request('GET', '/@users/asmith', { as: as('asmith') })).body.roles).toEqual(['Member']);
  });

  it('a CSV file creates all its users or none, and each problem names its line', async () => {
    const { status, body } = await send(
      `username,email,roles,password\nok1,ok1@example.com,,${PASSWORD}\nbad name,x@example.com,,${PASSWORD}\nshort,x@example.com,,abc\nrole,x@example.com,Nonsense,${PASSWORD}\nnomail,,,${PASSWORD}\nnopass,x@example.com,,\n`,
    );
    expect(status).toBe(400);
    expect(
      body.error.errors.map(({ field, message }: { field: string; message: string }) => [field, message.slice(0, 7)]),
    ).toEqual([
      ['username', 'Line 3:'],
      ['password', 'Line 4:'],
      ['roles', 'Line 5:'],
      ['email', 'Line 6:'],
      ['sendPasswordReset', 'Line 7:'],
    ]);
    const taken = await send(
      `username,email,password\nfirst,f@example.com,${PASSWORD}\nFIRST,f@example.com,${PASSWORD}\nadmin,a@example.com,${PASSWORD}\n`,
    );
    expect(taken.body.error.errors.map(({ message }: { message: string }) => message.slice(0, 7))).toEqual([
      'Line 3:',
      'Line 4:',
    ]);
    for (const name of ['ok1', 'first']) expect((await site.request('GET', `/@users/${name}`)).status).toBe(404);
  });

  it('a CSV file cannot give rights beyond those of its sender', async () => {
    const helper = await addUser(['Site Administrator']);
    const member = await addUser();
    const boss = `username,email,roles,password\nboss,boss@example.com,Manager,${PASSWORD}\n`;
    expect((await send(boss, { as: as(helper) })).status).toBe(403);
    const bossGroup = `username,email,groups,password\nboss,boss@example.com,Administrators,${PASSWORD}\n`;
    expect((await send(bossGroup, { as: as(helper) })).status).toBe(403);
    expect((await send(boss, { as: as(member) })).status).toBe(403);
    expect((await send(boss, { as: 'anonymous' })).status).toBe(401);
    expect((await site.request('GET', '/@users/boss')).status).toBe(404);
  });

  it.each([
    ['no columns of users', 'name,mail\nx,y\n'],
    ['no rows', 'username,email,password\n'],
    ['nothing', ''],
    ['ragged rows', 'username,email\nx\n'],
    ['too many rows', `username\n${'x\n'.repeat(1001)}`],
  ])('a CSV file with %s is rejected', async (_, text) => {
    expect((await send(text)).status).toBe(400);
  });
});
