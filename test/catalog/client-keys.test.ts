import { describe, expect, it } from 'vitest';
import { stemmerFor } from '../../src/core/search/text.ts';
import { quickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

describe('names of clients that every object of JavaScript has', () => {
  const site = useTestSite(quickestEngine());

  it.each(INHERITED)('the language %s is indexed without stemming', (language) => {
    expect(stemmerFor(language)).toBe('simple');
  });

  it.each(INHERITED)(
    'a page with the language %s gets no status 500, and can be read and searched',
    async (language) => {
      const created = await site.request('POST', '/', { json: { '@type': 'Page', title: 'Words' } });
      const path = new URL(created.body['@id']).pathname;
      const changed = await site.request('PATCH', path, { json: { language } });
      expect(changed.status, changed.text).toBeLessThan(500);
      expect((await site.request('GET', path)).status).toBe(200);
      expect((await site.request('GET', '/@search?SearchableText=words')).status).toBe(200);
    },
  );

  it.each(INHERITED)('the transition %s is rejected with status 400', async (transition) => {
    const created = await site.request('POST', '/', { json: { '@type': 'Page', title: 'State' } });
    const path = new URL(created.body['@id']).pathname;
    expect((await site.request('POST', `${path}/@workflow/${transition}`)).status).toBe(400);
  });
});
