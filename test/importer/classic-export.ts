import { page, site } from './readers/helpers.ts';

const HTML = 'text/html';
const html = (data: string) => ({ data, 'content-type': HTML, encoding: 'utf-8' });

/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const picture = (name: string) => ({ data: PIXEL, encoding: 'base64', filename: name, 'content-type': 'image/png' });

/** `{SSHA}` of the password `secret-of-jane`, as Plone's user folder stores it. */
const JANES_HASH = '{SSHA}/+Cx9jeLhLa3oNFgQ8Br3VP2XbZzYWx0';

const root = 'http://old.example:8080/Plone';
const dates = { created: '2015-02-03T04:05:06+00:00', modified: '2016-02-03T04:05:06+00:00' };

/** The object of a classic site at a path, in the form of an export with URLs. */
const item = (path: string, type: string, more: Record<string, unknown>) => ({
  ...page(`${root}${path}`, { '@type': type, UID: `uid-${path.slice(1).replaceAll('/', '-')}`, ...dates, ...more }),
  id: path.split('/').at(-1),
  review_state: 'published',
  layout: 'document_view',
});

/**
 * The export of a classic intranet by collective.exportimport, whose files lie in folders by type and have names of their own:
 * fields and choices that no standard type has, body texts, relative links, old workflow histories, comments, portlets.
 */
export const classicExport = (): Record<string, unknown> => ({
  'Plone_Site/1.json': {
    ...site(root),
    UID: 'uid-root',
    title: 'Intranet',
    logo: picture('logo.png'),
    footer_text: 'Made in 1999',
    ...dates,
  },
  'Folder/1.json': item('/team', 'Folder', { is_folderish: true, title: 'Team', nextPreviousEnabled: true }),
  'Document/1.json': item('/team/about', 'Document', {
    title: 'About',
    subjects: ['people', 'team'],
    text: html(
      '<p>See <a href="jane">Jane</a>, <a href="../team/jane/image_mini">her picture</a>, <a href="resolveuid/uid-team-jane">her</a>, ' +
        `<a href="${root}/team">us</a>, <a href="lost/page">nobody</a>.</p><script>alert(1)</script>`,
    ),
    priority: { token: 'high', title: 'High priority' },
    audiences: [
      { token: 'staff', title: 'Staff' },
      { token: 'guests', title: 'Guests' },
    ],
    reviewed: true,
    rank: 7,
    due: '2017-01-02T03:04:05',
    office: { latitude: 48.2, longitude: 16.3 },
    contactName: 'Jane',
    workflow_history: {
      intranet_workflow: [
        { action: null, actor: 'jane', comments: '', review_state: 'internal', time: '2014-01-01T00:00:00+00:00' },
        {
          action: 'hide',
          actor: 'jane',
          comments: 'later',
          review_state: 'private',
          time: '2014-02-01T00:00:00+00:00',
        },
      ],
      simple_publication_workflow: [
        {
          action: 'publish',
          actor: 'joe',
          comments: 'ok',
          review_state: 'published',
          time: '2015-03-01T00:00:00+00:00',
        },
      ],
    },
  }),
  'Document/2.json': item('/team/rules', 'Document', {
    title: 'Rules',
    priority: { token: 'low', title: 'Low priority' },
    audiences: [{ token: 'staff', title: 'Staff' }],
    owner: 'what a field of the old type was called',
  }),
  'Person/1.json': item('/team/jane', 'Person', {
    title: 'Jane',
    image: picture('jane.png'),
    phone: '+43 1 23',
    skills: ['writing', 'reading'],
    cv: { data: 'JVBERi0=', encoding: 'base64', filename: 'cv.pdf', 'content-type': 'application/pdf' },
  }),
  'more/people-and-groups.json': {
    members: [
      {
        username: 'jane',
        login_name: 'jane@example.org',
        fullname: 'Jane Doe',
        email: 'jane@example.org',
        password: JANES_HASH,
        portrait: picture('me.png'),
        roles: ['Member'],
        groups: ['staff'],
        login_time: '2015-01-01T00:00:00',
        department: 'Library',
      },
    ],
    groups: [
      { groupid: 'staff', title: 'Staff', description: 'All', email: '', roles: ['Reader'], principals: ['jane'] },
    ],
  },
  'more/links-of-content.json': [
    { from_uuid: 'uid-team-about', to_uuid: 'uid-team-jane', relationship: 'relatesTo' },
    { from_uuid: 'uid-team-about', to_uuid: 'uid-team-jane', relationship: 'authors' },
  ],
  'more/export_localroles.json': [
    { uuid: 'uid-team', localroles: { jane: ['Owner'], staff: ['Editor', 'Librarian'] }, block: 1 },
  ],
  'more/export_ordering.json': [
    { uuid: 'uid-team-jane', order: 0 },
    { uuid: 'uid-team-rules', order: 1 },
    { uuid: 'uid-team-about', order: 2 },
  ],
  'more/export_defaultpages.json': [{ uuid: 'uid-team', default_page: 'about', default_page_uuid: 'uid-team-about' }],
  'more/export_discussion.json': [
    {
      uuid: 'uid-team-about',
      conversation: {
        items: [
          {
            comment_id: '1',
            author_name: 'Miss Doe',
            author_username: 'jane',
            text: { data: 'Welcome', 'mime-type': 'text/plain' },
            creation_date: '2016-01-01T00:00:00',
            modification_date: '2016-01-01T00:00:00',
          },
          {
            comment_id: '2',
            in_reply_to: '1',
            author_name: 'A visitor',
            author_username: null,
            text: { data: 'Thanks', 'mime-type': 'text/plain' },
            creation_date: '2016-01-02T00:00:00',
            modification_date: '2016-01-02T00:00:00',
          },
        ],
      },
    },
  ],
  'more/export_portlets.json': [
    {
      '@id': `${root}/team`,
      uuid: 'uid-team',
      portlets: { 'plone.leftcolumn': [{ type: 'portlets.News', visible: true, assignment: { count: 5 } }] },
      blacklist_status: [{ category: 'context', manager: 'plone.leftcolumn', status: 'block' }],
    },
  ],
  'more/export_redirects.json': { '/Plone/old-team': '/Plone/team', '/Plone/older': '/Plone/gone/for-good' },
});
