import { beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { typesSite } from './types-site.ts';

describe.each(engines())('what forms send back as they were given it (%s)', (engine) => {
  const site = useTestSite(engine);
  const { ask, done, schema, newType, addField, read, panel } = typesSite(site);
  const GERMAN = { headers: { 'Accept-Language': 'de' } };

  beforeAll(() => done(204, 'PATCH', '/@controlpanels/language', { available_languages: ['en', 'de'] }));

  it('titles that are sent back keep the language of the site, whatever language the reader has', async () => {
    const before = await schema('Event');
    const german = (await ask('GET', '/@types/Event', undefined, GERMAN)).body;
    const titles = ({ properties }: typeof german) =>
      Object.values<{ title: string }>(properties).map(({ title }) => title);
    expect(titles(german)).not.toEqual(titles(before));
    const { properties, fieldsets, required, layouts } = german;
    await done(204, 'PUT', '/@types/Event', { properties, fieldsets, required, layouts });
    expect(await schema('Event')).toEqual(before);
    const { data } = (await ask('GET', panel('Event'), undefined, GERMAN)).body;
    await done(204, 'PATCH', panel('Event'), data);
    expect((await read(panel('Event'))).title).toBe(before.title);
  });

  it('choices of a field that are sent back stay a source of it', async () => {
    const type = await newType();
    await addField(type, { factory: 'Choice', id: 'colour', title: 'Colour', choices: ['red', 'blue'] });
    await addField(type, { factory: 'Multiple Choice', id: 'sizes', title: 'Sizes', choices: ['small', 'large'] });
    const before = await schema(type);
    const source = (name: string) => ({ '@id': `${site.url}/@sources/${name}` });
    expect(before.properties.colour).toMatchObject({ vocabulary: source('colour'), enum: ['red', 'blue'] });
    expect(before.properties.sizes.items).toMatchObject({ vocabulary: source('sizes'), enum: ['small', 'large'] });
    const { properties, fieldsets, required, layouts } = before;
    await done(204, 'PUT', `/@types/${type}`, { properties, fieldsets, required, layouts });
    expect(await schema(type)).toEqual(before);
    const { choices, enum: _enum, ...colour } = properties.colour;
    await done(204, 'PATCH', `/@types/${type}/colour`, { ...colour, description: 'Which one?' });
    expect((await schema(type)).properties.colour).toEqual({ ...properties.colour, description: 'Which one?' });
  });
});
