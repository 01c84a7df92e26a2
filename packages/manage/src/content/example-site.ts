/** The example site: what is sent to make it. */

import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';

type Request = { method: 'POST'; path: string; body: Readonly<Record<string, unknown>> };
type TypeEntry = { id: string; addable: boolean };

/** Days from now to the event. */
const DAYS = 30;
const MS_A_DAY = 86_400_000;

const create = (path: string, body: Readonly<Record<string, unknown>>): Request => ({ method: 'POST', path, body });

/** Returns the requests of a batch, with the types that the user may add. Each object is published where its workflow lets the user. */
export async function exampleRequests(): Promise<Request[]> {
  const types = (await ask<TypeEntry[]>('GET', '@types')).filter(({ addable }) => addable).map(({ id }) => id);
  const typeOf = (...names: string[]): string | undefined => names.find((name) => types.includes(name));
  const [page, news, event, folder] = [
    typeOf('Page', 'Document'),
    typeOf('News Item'),
    typeOf('Event'),
    typeOf('Folder', 'Page', 'Document'),
  ];
  const start = new Date(Date.now() + DAYS * MS_A_DAY);
  start.setUTCHours(9, 0, 0, 0);
  const end = new Date(start.getTime() + MS_A_DAY / 4);
  const requests: Request[] = [];
  const add = (type: string | undefined, path: string, body: Readonly<Record<string, unknown>>): void => {
    if (type !== undefined) requests.push(create(path, { '@type': type, ...body }));
  };
  add(page, '/', {
    title: say('About us'),
    description: say('Who we are, what we do, and where you find us.'),
  });
  if (folder !== undefined && news !== undefined) {
    const at = requests.length;
    add(folder, '/', { title: say('News'), description: say('What is new, the newest first.') });
    add(news, `{${at}.@id}`, {
      title: say('Our new site is online'),
      description: say('It is easier to read, and works on phones.'),
    });
    add(news, `{${at}.@id}`, {
      title: say('Opening hours in winter'),
      description: say('From November to March we close an hour earlier.'),
    });
  }
  add(event, '/', {
    title: say('Open day'),
    description: say('Look behind the doors, ask, and stay for coffee.'),
    start: start.toISOString(),
    end: end.toISOString(),
  });
  return requests;
}
