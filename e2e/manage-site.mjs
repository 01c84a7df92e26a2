// The site that the page for those who run a site is looked at with: content, people of every role, things to run.
import { connect } from '../scripts/lib/client.mjs';
import { startServer, temporaryDataDir } from '../scripts/lib/server.mjs';

/** People by their roles; all have the same password. */
export const PEOPLE = [
  { login: 'admin', password: 'admin' },
  {
    login: 'edith',
    password: 'a-long-password',
    fullname: 'Edith Editor',
    roles: ['Member'],
    local: { Editor: true, Contributor: true },
  },
  { login: 'marta', password: 'a-long-password', fullname: 'Marta Member', roles: ['Member'], local: {} },
];

const CHILDREN = 260;

/** Starts a server with the site. */
export async function startManageSite() {
  const canopy = await startServer({ dataDir: await temporaryDataDir(), timeout: 240_000 });
  const admin = await connect(canopy.url);
  const api = async (method, path, body) => (await admin.send(method, path, body)).body;
  await api('PATCH', '/@controlpanels/site', { site_title: 'Field notes' });
  await api('PATCH', '/', { title: 'Field notes', description: 'Walks, birds and weather of one valley.' });
  for (const [id, title] of [
    ['walks', 'Walks'],
    ['birds', 'Birds'],
    ['weather', 'Weather'],
  ]) {
    await api('POST', '/', { '@type': 'Folder', id, title });
    await api('POST', `/${id}/@workflow/publish`, {});
  }
  await api('POST', '/walks', {
    '@type': 'Page',
    id: 'along-the-river',
    title: 'Along the river in three days',
    description: 'From the old mill to the lighthouse: 54 kilometres, two inns and one ferry.',
    subjects: ['Walks', 'River', 'Autumn'],
  });
  await api('POST', '/walks/along-the-river/@workflow/publish', {});
  await api('POST', '/walks', { '@type': 'Folder', id: 'maps', title: 'Maps' });
  await api('POST', '/walks', {
    '@type': 'Event',
    id: 'opening',
    title: 'The ferry opens',
    start: '2027-04-01T08:00:00Z',
    end: '2027-04-01T18:00:00Z',
  });
  await api('POST', '/walks', {
    '@type': 'Link',
    id: 'ferry',
    title: 'Times of the ferry',
    remoteUrl: 'https://ferry.example.org',
  });
  const weeks = Array.from({ length: CHILDREN }, (_, index) => ({
    '@type': 'Page',
    id: `week-${index + 1}`,
    title: `Week ${index + 1}`,
  }));
  for (let at = 0; at < weeks.length; at += 50)
    await api('POST', '/@batch', {
      requests: weeks.slice(at, at + 50).map((body) => ({ method: 'POST', path: '/birds', body })),
    });
  for (const { login, password, fullname, roles, local } of PEOPLE) {
    if (login === 'admin') continue;
    await api('POST', '/@users', {
      username: login,
      password,
      fullname,
      email: `${login}@example.org`,
      roles,
      sendPasswordReset: false,
    });
    if (Object.keys(local).length > 0)
      await api('POST', '/@sharing', { entries: [{ id: login, type: 'user', roles: { ...local, Reader: true } }] });
  }
  await api('POST', '/@controlpanels/content-rules', { title: 'Call the town', event: 'onAfterPublish' });
  await api('POST', '/@controlpanels/content-rules/call-the-town/action', {
    ...{ type: 'webhook', url: 'https://town.example.org/changed', method: 'POST', body: '' },
  });
  return { canopy, url: canopy.url, api };
}
