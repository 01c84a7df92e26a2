import { afterAll, beforeAll, expect, it } from 'vitest';
import { defineFeature } from '../../src/core/services/feature.ts';
import { defineService } from '../../src/core/services/service.ts';
import { BadRequest } from '../../src/lib/errors.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';

/** A feature of a package from outside, with the translations of its texts. */
const greetings = defineFeature({
  name: 'greetings',
  panels: [{ id: 'greetings', title: 'Greetings', group: 'Content', settings: [] }],
  services: [
    defineService({
      name: '@greeting',
      method: 'GET',
      context: 'site',
      permission: null,
      summary: 'Greets nobody.',
      responses: {},
      run() {
        throw new BadRequest('There is nobody called "Ann" to greet.');
      },
    }),
  ],
  messages: {
    nl: {
      Greetings: 'Begroetingen',
      'There is nobody called "{name}" to greet.': 'Er is niemand met de naam "{name}" om te groeten.',
    },
  },
});

describeEachEngine('the messages of a feature from outside', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine, { features: [greetings] });
  });
  afterAll(() => site.close());

  it('a control panel that a feature brings has its title in the language of the reader', async () => {
    const titleIn = async (language: string) => {
      const { body } = await site.request('GET', '/@controlpanels', {
        as: 'admin',
        headers: { 'Accept-Language': language },
      });
      return body.find(({ '@id': id }: { '@id': string }) => id.endsWith('/greetings')).title;
    };
    expect(await titleIn('nl')).toBe('Begroetingen');
    expect(await titleIn('en')).toBe('Greetings');
  });

  it('an error that a feature throws is translated with the names in it', async () => {
    const { status, body } = await site.request('GET', '/@greeting', { headers: { 'Accept-Language': 'nl' } });
    expect(status).toBe(400);
    expect(body.message).toBe('Er is niemand met de naam "Ann" om te groeten.');
  });
});
