import { describe, expect, it } from 'vitest';
import { peopleOf } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { FILE, formsOf } from './form-site.ts';

/** A marker in every text that only editors may see. */
const MARK = 'xq7secret';

const SECRETS: Json = {
  recipients: `${MARK}.to@example.org`,
  bcc: `${MARK}.bcc@example.org`,
  sender: `${MARK}.from@example.org`,
  sender_name: MARK,
  subject: `${MARK} of \${name}`,
  mail_header: { data: `<p>${MARK}</p>` },
  mail_footer: `<p>${MARK}</p>`,
  admin_info: MARK,
  confirmation_recipients: `${MARK}@example.org`,
  fixed_attachment: { ...FILE, filename: `${MARK}.txt` },
};
const LISTED: Json = {
  '@type': 'form',
  subblocks: [{ field_id: '11', label: 'Name', field_type: 'text' }],
  default_to: `${MARK}@example.org`,
  default_from: `${MARK}@example.org`,
  default_subject: MARK,
  default_bcc: MARK,
  default_of_an_add_on: MARK,
  acknowledgementFields: MARK,
  acknowledgementMessage: { data: MARK },
};

const PLACES: [string, (blocks: Json) => Json][] = [
  ['the page itself', (blocks) => blocks],
  ['a grid', (blocks) => ({ grid: { '@type': 'gridBlock', blocks, blocks_layout: { items: [] } } })],
  ['columns', (blocks) => ({ c: { '@type': 'columnsBlock', data: { blocks: { one: { blocks } } } } })],
  [
    'a list of columns',
    (blocks) => ({ c: { '@type': '__grid', columns: [{ id: 'one', blocks: { g: { '@type': 'grid', blocks } } }] } }),
  ],
  ['the columns themselves', (blocks) => ({ c: { '@type': '__grid', columns: Object.values(blocks) } })],
];

describeEachEngine('what forms say to editors alone', (engine) => {
  const site = useTestSite(engine);
  const { page } = formsOf(site);
  const { as, addUser } = peopleOf(site);

  const textOf = async (path: string, who: Who): Promise<string> => {
    const { status, text } = await site.request('GET', path, { as: who, headers: { Accept: 'application/json' } });
    expect(status, `${path}: ${text}`).toBe(200);
    return text;
  };

  describe.each(PLACES)('in %s', (_place, wrap) => {
    it('secrets of a form in any place are served only to users who can change the page', async () => {
      const member = as(await addUser(['Member']));
      const editor = as(await addUser(['Editor']));
      for (const secrets of [SECRETS, LISTED]) {
        const { path } = await page({ id: 'form', title: 'Shown', ...secrets }, { wrap });
        await site.request('PATCH', path, { json: { title: 'Contact us', changeNote: 'Another version' } });
        const places = [
          path,
          `${path}?expand=actions,breadcrumbs,navigation,inherit`,
          `/@search?fullobjects=1&path.query=${path}&path.depth=0`,
          `/@search?metadata_fields=_all&path.query=${path}&path.depth=0`,
          '/?fullobjects=1',
        ];
        for (const address of places) {
          for (const who of ['anonymous', member] as const) {
            const text = await textOf(address, who);
            expect(text.includes(MARK), `${address}: ${text}`).toBe(false);
            if (address === path) expect(text).toContain('Shown');
          }
        }
        for (const who of ['admin', editor] as const) expect(await textOf(path, who)).toContain(MARK);
      }
    });
  });

  it('secrets of a form are in no version for users who cannot change the page', async () => {
    const { path } = await page(SECRETS);
    await site.request('PATCH', path, { json: { title: 'Second', changeNote: 'Another version' } });
    const reviewer = as(await addUser(['Reviewer', 'Member']));
    for (const address of [`${path}/@history`, `${path}/@history/0`, `${path}/@versions/0`, `${path}?version=0`]) {
      for (const who of ['anonymous', reviewer] as const) {
        const { text } = await site.request('GET', address, { as: who });
        expect(text.includes(MARK), `${address}: ${text}`).toBe(false);
      }
    }
    expect((await site.request('GET', `${path}/@history/0`)).text).toContain(MARK);
  });

  it('secrets of a form are in no export for readers', async () => {
    const { path } = await page(SECRETS);
    for (const format of ['json', 'html', 'markdown', 'yaml', 'csv', 'xml', 'text', 'pdf']) {
      const { text } = await site.request('GET', `${path}/@export/${format}`, { as: 'anonymous' });
      expect(text.includes(MARK), `${format}: ${text}`).toBe(false);
      const query = await site.request('GET', `${path}/@export?format=${format}`, { as: 'anonymous' });
      expect(query.text.includes(MARK), `${format}: ${query.text}`).toBe(false);
    }
  });

  it('a copy by a user who cannot change the page does not have the secrets of its form', async () => {
    const { path } = await page(SECRETS);
    const folder = (await site.request('POST', '/', { json: { '@type': 'Folder', title: 'Mine' } })).body.id;
    const member = await addUser(['Member']);
    const entries = [{ id: member, type: 'user', roles: { Contributor: true, Reader: true, Editor: true } }];
    await site.request('POST', `/${folder}/@sharing`, { json: { entries, inherit: true } });
    const copied = await site.request('POST', `/${folder}/@copy`, { json: { source: path }, as: as(member) });
    expect(copied.status, copied.text).toBe(200);
    const target = new URL(copied.body[0].target).pathname;
    expect(await textOf(target, as(member))).not.toContain(MARK);
    expect(await textOf(target, 'admin')).not.toContain(MARK);
    const own = await site.request('POST', `/${folder}/@copy`, { json: { source: path } });
    expect(await textOf(new URL(own.body[0].target).pathname, 'admin')).toContain(MARK);
  });
});
