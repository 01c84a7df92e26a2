import { PIXEL } from '../markdown/folder.ts';

const title = { '11111111-0000-4000-8000-000000000000': { '@type': 'title' } };
const layout = { items: ['11111111-0000-4000-8000-000000000000'] };
const page = (uuid: string, more: Record<string, unknown>): Record<string, unknown> => ({
  ...{ uuid, type: 'Page', owner: 'admin', workflow_state: 'published', blocks: title, blocks_layout: layout },
  ...{ created: '2024-01-02T03:04:05.000Z', modified: '2024-02-03T04:05:06.000Z', ...more },
});

export const UUIDS = {
  root: '00000000-aaaa-4000-8000-000000000001',
  news: '00000000-aaaa-4000-8000-000000000002',
  story: '00000000-aaaa-4000-8000-000000000003',
  book: '00000000-aaaa-4000-8000-000000000004',
  picture: '00000000-aaaa-4000-8000-000000000005',
  german: '00000000-aaaa-4000-8000-000000000006',
};

/** The files of a profile with types. */
const base: Record<string, unknown> = {
  'base/metadata.json': { id: 'example:base', title: 'Base', version: 1000 },
  'base/behaviors/priced.json': {
    ...{ id: 'priced', 'title:i18n': 'Priced' },
    schema: {
      fieldsets: [{ id: 'default', 'title:i18n': 'Default', fields: ['price'] }],
      properties: { price: { 'title:i18n': 'Price', type: 'number', description: 'In francs.' } },
      required: ['price'],
    },
  },
  'base/behaviors/basic.json': {
    id: 'basic',
    schema: { properties: { title: { title: 'Title', type: 'string' } }, required: ['title'] },
  },
  'base/vocabularies/genres.json': {
    id: 'genres',
    items: [
      { 'title:i18n': 'Novel', token: 'novel' },
      { 'title:i18n': 'Poems', token: 'poems' },
    ],
  },
  'base/types/book.json': {
    ...{ id: 'Book', 'title:i18n': 'Book', description: 'A printed one', global_allow: true },
    ...{ filter_content_types: true, allowed_content_types: ['Image', 'Nothing'] },
    schema: {
      fieldsets: [{ id: 'default', title: 'Default', fields: ['genre', 'cover', 'sequel', 'pages'] }],
      properties: {
        genre: { 'title:i18n': 'Genre', type: 'string', factory: 'Choice', vocabulary: { '@id': 'genres' } },
        cover: { title: 'Cover', type: 'object', factory: 'Image', widget: 'file' },
        sequel: { title: 'Sequel', factory: 'Relation Choice', widget: 'object_browser' },
        pages: { title: 'Pages', type: 'integer' },
      },
      behaviors: ['basic', 'priced', 'blocks', 'versioning', 'folderish', 'unheard_of'],
      layouts: ['book_view'],
    },
    workflow: 'simple_publication_workflow',
  },
  'base/types/page.json': {
    id: 'Page',
    schema: {
      fieldsets: [{ id: 'default', title: 'Default', fields: ['motto'] }],
      properties: { motto: { title: 'Motto', type: 'string' } },
      behaviors: ['basic'],
    },
  },
  'base/users.json': {
    purge: true,
    users: [{ id: 'anonymous', password: 'anonymous', roles: ['Anonymous'] }, { id: 'gone' }],
  },
};

/** The files of a profile with content. */
const site: Record<string, unknown> = {
  'site/types/book.json': { id: 'Book', schema: { properties: { pages: { title: 'Number of pages' } } } },
  'site/documents/_root.json': page(UUIDS.root, { type: 'Site', title: 'Books', language: 'en' }),
  'site/documents/news.json': page(UUIDS.news, {
    ...{ type: 'Folder', title: 'News', language: 'en', inherit_roles: false },
    sharing: {
      users: [
        { id: 'ann', roles: ['Editor'] },
        { id: 'anonymous', roles: ['Reader'] },
      ],
      groups: [{ id: 'Sellers', roles: ['Administrator', 'Contributor'] }],
    },
    content_rules: [{ id: 'rule-1', enabled: true }],
  }),
  'site/documents/news.story.json': page(UUIDS.story, {
    ...{
      title: 'The story',
      subjects: ['fresh'],
      language: 'en',
      motto: 'Onwards',
      effective: '2024-01-05T00:00:00.000Z',
    },
    relatedItems: [UUIDS.book],
    preview_image_link: [{ '@id': '/dot.png' }],
    blocks: {
      ...title,
      '11111111-0000-4000-8000-000000000001': {
        '@type': 'slate',
        value: [{ type: 'p', children: [{ type: 'link', data: { url: '/book' }, children: [{ text: 'A book' }] }] }],
      },
      '11111111-0000-4000-8000-000000000002': { '@type': 'text', text: { blocks: [] } },
    },
    blocks_layout: {
      items: [...layout.items, '11111111-0000-4000-8000-000000000001', '11111111-0000-4000-8000-000000000002'],
    },
    workflow_history: [
      {
        action: 'publish',
        actor: 'ann',
        review_state: 'published',
        time: '2024-01-05T00:00:00.000Z',
        transition_title: 'Publish',
      },
    ],
    versions: [
      {
        created: '2024-01-02T03:04:05.000Z',
        actor: 'ann',
        title: 'A draft',
        motto: 'Slowly',
        changeNote: 'First',
        blocks: title,
        blocks_layout: layout,
      },
      {
        created: '2024-01-03T03:04:05.000Z',
        actor: 'bob',
        title: 'The story',
        subjects: ['fresh'],
        changeNote: 'Without a motto',
        blocks: title,
        blocks_layout: layout,
      },
      {
        created: '2024-02-03T04:05:06.000Z',
        actor: 'ann',
        title: 'The story',
        motto: 'Onwards',
        changeNote: 'Again',
        blocks: title,
        blocks_layout: layout,
      },
    ],
  }),
  'site/documents/book.json': page(UUIDS.book, {
    ...{ type: 'Book', title: 'A book', genre: 'poems', price: 12.5, pages: 96, language: 'en', position_in_parent: 7 },
    ...{ cover: '/images/cover.png', sequel: [{ '@id': '/news/story', UID: UUIDS.story }], workflow_state: 'private' },
    translation_group: UUIDS.book,
  }),
  'site/documents/buch.json': page(UUIDS.german, {
    ...{ type: 'Book', title: 'Ein Buch', genre: 'western', price: 13, pages: 97, language: 'de', owner: 'ann' },
    ...{ cover: '/../../secret.png', translation_group: UUIDS.book },
  }),
  'site/documents/dot.png.json': page(UUIDS.picture, {
    ...{ type: 'Image', title: 'A dot', workflow_state: undefined },
    image: { filename: 'dot.png', 'content-type': 'image/png', encoding: 'base64', data: PIXEL.toString('base64') },
  }),
  'site/documents/lost.json': page('00000000-aaaa-4000-8000-000000000007', {
    ...{ type: 'File', title: 'Lost' },
    file: {
      filename: 'lost.pdf',
      'content-type': 'application/pdf',
      size: 9,
      download: 'http://old.example/lost/@@download/file',
    },
  }),
  'site/documents/broken.json': '{',
  'site/documents/.json': '{}',
  'site/documents/._news.json': 'a mark of a file system',
  'site/users.json': {
    users: [
      {
        id: 'ann',
        password: 'open',
        fullname: 'Ann',
        email: 'ann@example.org',
        roles: ['Editor', 'Administrator'],
        groups: ['Sellers'],
        phone: '1',
      },
      { fullname: 'Nobody' },
    ],
  },
  'site/groups.json': { groups: [{ id: 'Sellers', 'title:i18n': 'Sellers', roles: ['Contributor'] }] },
  'site/redirects.json': {
    redirects: [
      { document: UUIDS.story, path: '/old/story' },
      { document: '00000000-aaaa-4000-8000-00000000ffff', path: '/old/nothing' },
    ],
  },
  'site/roles.json': { roles: [{ id: 'Editor' }, { id: 'Librarian', permissions: ['Add'] }] },
  'site/workflows.json': { workflows: [{ id: 'simple_publication_workflow' }, { id: 'shelf_workflow' }] },
  'site/content_rules.json': { content_rules: [{ id: 'rule-1' }] },
  'site/controlpanels/site.json': { id: 'site', data: { site_title: 'Books' } },
};

/** The files of two profiles, of which the second is applied after the first; all but `documents/images/cover.png`. */
export const PROFILES: Record<string, unknown> = { ...base, ...site };
