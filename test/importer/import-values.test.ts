import { expect, it } from 'vitest';
import { describeQuickestEngine } from '../support/database.ts';
import { freshSite, messages, run, stored } from './import-helpers.ts';
import { page, site, writeExport } from './readers/helpers.ts';

const slate = (url: string) => ({
  '@type': 'slate',
  value: [{ type: 'link', data: { url }, children: [{ text: 'x' }] }],
});

describeQuickestEngine('values of an import', (engine) => {
  it('imported references to later objects of the export and to present content are UIDs', async () => {
    const { kernel } = await freshSite(engine);
    const earlier = await writeExport({ '1.json': page('/known', { UID: 'u-known' }) });
    await run(kernel, earlier);
    const directory = await writeExport({
      '1.json': page('/a', {
        UID: 'u-a',
        blocks: {
          later: slate('/b/c#part'),
          known: slate('/known'),
          byUid: slate('resolveuid/u-c'),
          outside: slate('https://example.org/b/c'),
          nowhere: slate('/gone'),
        },
        relatedItems: [
          { '@id': '/b/c', title: 'C' },
          { '@id': '/moved', UID: 'u-b' },
          { '@id': '/gone' },
          { '@id': '/known' },
        ],
      }),
      '2.json': page('/b', { UID: 'u-b' }),
      '3.json': page('/b/c', { UID: 'u-c' }),
      'relations.json': [
        { from_uuid: 'u-a', to_uuid: 'u-a', relationship: 'relatedItems' },
        { from_uuid: 'u-a', to_uuid: 'u-c', relationship: 'relatedItems' },
        { from_uuid: 'u-a', to_uuid: 'u-b', relationship: 'sponsors' },
        { from_uuid: 'u-a', to_uuid: 'u-b', relationship: 'isReferencing' },
        { from_uuid: 'u-a', to_uuid: 'u-z', relationship: 'relatedItems' },
      ],
    });
    const summary = await run(kernel, directory);
    expect(summary.relations).toEqual({ created: 3, skipped: 0, failed: 1 });
    const a = (await stored(kernel)).get('/a');
    expect(a?.fields.blocks).toEqual({
      later: slate('../resolveuid/u-c#part'),
      known: slate('../resolveuid/u-known'),
      byUid: slate('../resolveuid/u-c'),
      outside: slate('https://example.org/b/c'),
      nowhere: slate('/gone'),
    });
    expect(a?.fields.relatedItems).toEqual(['u-c', 'u-b', 'u-known', 'u-a']);
    const references = await kernel.db.query({
      text: `select relation, target from reference where source = ${a?.oid} order by position`,
    });
    expect(references).toEqual([
      ...['u-c', 'u-b', 'u-known', 'u-a'].map((target) => ({ relation: 'relatedItems', target })),
      { relation: 'sponsors', target: 'u-b' },
      { relation: 'isReferencing', target: 'u-c' },
      { relation: 'isReferencing', target: 'u-known' },
    ]);
    expect(messages(summary)).toContain('/a Field relatedItems refers to /gone, which is not there.');
  });

  it('values that do not fit their field are reported and replaced by its default, and the object is imported', async () => {
    const { kernel } = await freshSite(engine);
    const directory = await writeExport({
      '1.json': page('/a', {
        title: '',
        description: 7,
        subjects: { not: 'a list' },
        exclude_from_nav: 'yes',
        blocks: ['no blocks'],
        text: { data: '# x', 'content-type': 'text/x-web-markdown', encoding: 'utf-8' },
        nav_title: 'two\nlines',
      }),
      '2.json': page('/l', { '@type': 'Link', title: 'Bad\u0000 link\ud800', remoteUrl: 'javascript:alert(1)' }),
    });
    const summary = await run(kernel, directory);
    expect(summary.objects).toEqual({ created: 2, skipped: 0, failed: 0 });
    const objects = await stored(kernel);
    expect(objects.get('/a')?.fields).toMatchObject({
      title: 'a',
      description: '7',
      subjects: [],
      exclude_from_nav: false,
      blocks: {},
      nav_title: 'two lines',
    });
    expect(objects.get('/l')?.fields).toMatchObject({ title: 'Bad\uFFFD link\uFFFD', remoteUrl: null });
    const told = messages(summary).join('\n');
    for (const name of ['subjects', 'exclude_from_nav', 'blocks', 'nav_title'])
      expect(told).toContain(`/a Field ${name} `);
    expect(told).toContain('/l Field remoteUrl is left at its default.');
  });

  it('values under names that no field can have are kept and reported once with the number of objects', async () => {
    const { kernel } = await freshSite(engine);
    const directory = await writeExport({
      '1.json': page('/a', { owner: 'red', empty: null }),
      '2.json': page('/b', { owner: 'blue' }),
    });
    const summary = await run(kernel, directory);
    expect((await stored(kernel)).get('/b')?.fields.owner).toBe('blue');
    expect(summary.problems.filter(({ key }) => key === 'owner')).toEqual([
      {
        reason: 'field',
        file: null,
        path: '/a',
        key: 'owner',
        message:
          'The type Page cannot have a field owner: its value is kept, but not served. (2 objects; this is the first)',
      },
    ]);
    expect(summary.reasons.field).toBe(2);
    expect(messages(summary).join()).not.toContain('field empty');
  });

  it('an unknown type is created with all fields of its objects', async () => {
    const { kernel } = await freshSite(engine);
    const sponsor = {
      '@type': 'Sponsor',
      type_title: 'Sponsor of ours',
      review_state: 'published',
      is_folderish: true,
    };
    const logo = { data: 'cGl4ZWxz', encoding: 'base64', filename: 'logo.png', 'content-type': 'image/png' };
    const directory = await writeExport({
      '1.json': page('/a', { ...sponsor, title: 'A', level: null, description: '' }),
      '2.json': page('/b', { ...sponsor, title: 'B', level: 3, logo, subjects: ['x'] }),
    });
    expect(await run(kernel, directory, { dryRun: true })).toMatchObject({
      types: ['Sponsor'],
      objects: { created: 2 },
    });
    expect((await kernel.sites.current()).types.has('Sponsor')).toBe(false);
    expect((await run(kernel, directory)).types).toEqual(['Sponsor']);
    const type = (await kernel.sites.current()).types.get('Sponsor');
    expect(type).toMatchObject({ title: 'Sponsor of ours', folderish: true, workflow: 'simple_publication_workflow' });
    expect(type?.fieldByName.get('level')?.factory).toBe('Integer');
    expect(type?.behaviors).toContain('basic');
    expect((await stored(kernel)).get('/b')).toMatchObject({
      type: 'Sponsor',
      state: 'published',
      fields: { title: 'B', level: 3, subjects: ['x'], logo: { filename: 'logo.png', size: 6 } },
    });
  });

  it('a state is kept only if the workflow has it', async () => {
    const { kernel } = await freshSite(engine);
    const directory = await writeExport({
      '1.json': page('/a', { review_state: 'published' }),
      '2.json': page('/b', { review_state: 'internally_published' }),
    });
    const summary = await run(kernel, directory);
    const objects = await stored(kernel);
    expect([objects.get('/a')?.state, objects.get('/b')?.state]).toEqual(['published', 'private']);
    expect(objects.get('/b')?.allowed).not.toContain('role:Anonymous');
    expect(messages(summary).join()).toContain('has no state internally_published');
    const [created] = await kernel.db.query({
      text: `select action, review_state from workflow_history where content = ${objects.get('/b')?.oid}`,
    });
    expect(created).toEqual({ action: null, review_state: 'private' });
  });

  it('Translations of an original join its group, whatever their file says of its language.', async () => {
    const { kernel } = await freshSite(engine);
    const summary = await run(
      kernel,
      await writeExport({
        '1.json': page('/one', { UID: 'one', language: 'en' }),
        '2.json': page('/eins', { UID: 'eins', language: 'de' }),
        '3.json': page('/two', { UID: 'two', language: 'en' }),
        '4.json': page('/zwei', { UID: 'zwei' }),
        '5.json': page('/alone', { UID: 'alone', language: 'en' }),
        'translations.json': [
          { canonical: 'one', translations: { de: 'eins' } },
          { canonical: 'two', translations: { en: 'two', de: 'zwei' } },
          { canonical: 'alone', translations: {} },
          { nothing: 5 },
        ],
      }),
    );
    expect(summary.translations).toEqual({ created: 2, skipped: 0, failed: 0 });
    expect(messages(summary).join()).toContain('No group of translations: {"nothing":5}');
    const objects = await stored(kernel);
    const group = (path: string) => objects.get(path)?.translations;
    expect(group('/one')).toMatch(/^[0-9a-f-]{36}$/);
    expect(group('/eins')).toBe(group('/one'));
    expect(group('/zwei')).toBe(group('/two'));
    expect(group('/two')).not.toBe(group('/one'));
    expect(objects.get('/alone')?.translations).toBeNull();
  });

  it('translations join one group, also with present content', async () => {
    const { kernel } = await freshSite(engine);
    await run(
      kernel,
      await writeExport({
        '1.json': page('/en', { UID: 'en', language: 'en' }),
        '2.json': page('/de', { UID: 'de', language: 'de' }),
        'translations.json': [
          { en: 'en', de: 'de' },
          { en: 'en', fr: 'nobody' },
        ],
      }),
    );
    const first = await stored(kernel);
    expect(first.get('/en')?.translations).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.get('/de')?.translations).toBe(first.get('/en')?.translations);
    const more = await writeExport({
      '1.json': page('/en', { UID: 'en', language: 'en' }),
      '2.json': page('/fr', { UID: 'fr', language: 'fr' }),
      'translations.json': [{ en: 'en', fr: 'fr' }],
    });
    expect((await run(kernel, more)).translations).toEqual({ created: 1, skipped: 0, failed: 0 });
    expect((await stored(kernel)).get('/fr')?.translations).toBe(first.get('/en')?.translations);
    const double = await writeExport({
      '1.json': page('/en', { UID: 'en', language: 'en' }),
      '2.json': page('/fr-2', { UID: 'fr-2', language: 'fr' }),
      '3.json': page('/nl', { UID: 'nl' }),
      'translations.json': [{ en: 'en', fr: 'fr-2', nl: 'nl' }],
    });
    expect(messages(await run(kernel, double)).join()).toContain('an object in fr on the site already');
    const all = await stored(kernel);
    expect(all.get('/fr-2')?.translations).toBeNull();
    expect(all.get('/nl')).toMatchObject({ translations: first.get('/en')?.translations, language: 'nl' });
  });

  it('new users join their groups, present users and groups stay unchanged', async () => {
    const { kernel } = await freshSite(engine);
    const hash = '$2b$04$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234';
    const directory = await writeExport({
      '1.json': site('/Plone'),
      'members.json': {
        members: [
          { username: 'admin', fullname: 'Other', roles: [], groups: ['Reviewers'] },
          {
            username: 'ada',
            password: hash,
            roles: ['Member', 'Authenticated'],
            groups: ['Reviewers', 'none'],
            location: 'Rome',
          },
        ],
        groups: [
          { groupid: 'Administrators', title: 'Changed', roles: [], principals: ['admin'] },
          { groupid: 'inner', roles: ['Editor'], groups: ['Administrators'], principals: ['ada'] },
        ],
      },
    });
    const summary = await run(kernel, directory);
    const rows = (text: string) => kernel.db.query({ text });
    expect(
      await rows(`select id, fullname, roles, properties->>'location' as location, password from account order by id`),
    ).toMatchObject([
      { id: 'ada', roles: ['Member'], location: 'Rome', password: hash },
      { id: 'admin', fullname: 'Administrator' },
    ]);
    expect(await rows(`select title from principal_group where id = 'Administrators'`)).toEqual([
      { title: 'Administrators' },
    ]);
    expect(await rows('select * from group_member order by group_id, member_id')).toEqual([
      { group_id: 'Administrators', member_id: 'inner', is_group: true },
      { group_id: 'Reviewers', member_id: 'ada', is_group: false },
      { group_id: 'inner', member_id: 'ada', is_group: false },
    ]);
    const told = messages(summary).join('\n');
    expect(told).toContain('The user admin is there already');
    expect(told).not.toContain('The group Administrators');
    expect(told).toContain('in the group none, which is neither');
  });

  it('an object whose value of a unique field another one has is left out and reported', async () => {
    const { kernel } = await freshSite(engine);
    await kernel.db.query({
      text: `update configuration set data = jsonb_set(data, '{properties}', coalesce(data->'properties', '{}') ||
        '{"isbn": {"title": "ISBN", "type": "string", "factory": "Text line (String)", "unique": true}}')
        where kind = 'type' and id = 'Page'`,
    });
    await kernel.db.query({
      text: `update site_state set value = (value::bigint + 1)::text where name = 'configuration'`,
    });
    await run(kernel, await writeExport({ '1.json': page('/known', { UID: 'u-known', isbn: '1' }) }));
    const directory = await writeExport({
      '1.json': page('/a', { UID: 'u-a', isbn: '2' }),
      '2.json': page('/b', { UID: 'u-b', isbn: '1' }),
      '3.json': page('/c', { UID: 'u-c', isbn: '2' }),
      '4.json': page('/d', { UID: 'u-d', isbn: '' }),
      '5.json': page('/e', { UID: 'u-e', isbn: '' }),
    });
    const summary = await run(kernel, directory);
    expect([summary.objects.created, summary.objects.failed]).toEqual([3, 2]);
    const there = await stored(kernel);
    expect(['/a', '/b', '/c', '/d', '/e'].map((path) => there.has(path))).toEqual([true, false, false, true, true]);
    expect(messages(summary).filter((text) => text.includes('isbn'))).toHaveLength(2);
  });
});
