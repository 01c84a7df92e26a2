import { expect, it } from 'vitest';
import type { Service } from '../../src/core/services/service.ts';
import { isJsonObject } from '../../src/lib/json-object.ts';
import { services } from '../support/registries.ts';

/** Members of schemas that describe without restricting. */
const NOTES = new Set(['description', 'title', 'examples', 'message', '$id']);

const isOpen = (schema: unknown): boolean =>
  isJsonObject(schema) && Object.keys(schema).every((keyword) => NOTES.has(keyword) || keyword.startsWith('~'));

/** The places of a schema where any value fits: `items[].value`, and `data{}` for the members of an object with any names. */
function openPlaces(schema: unknown, place = ''): string[] {
  if (!isJsonObject(schema)) return [];
  if (isOpen(schema)) return [place];
  const under = (name: string) => (place === '' ? name : `${place}.${name}`);
  const { properties, patternProperties, items, anyOf, allOf } = schema;
  return [
    ...Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, member]) =>
      openPlaces(member, under(name)),
    ),
    ...Object.values(isJsonObject(patternProperties) ? patternProperties : {}).flatMap((member) =>
      openPlaces(member, `${place}{}`),
    ),
    ...(schema.additionalProperties === true ? [`${place}{}`] : []),
    ...(Array.isArray(items)
      ? items.flatMap((item) => openPlaces(item, `${place}[]`))
      : openPlaces(items, `${place}[]`)),
    ...[anyOf, allOf]
      .flatMap((parts) => (Array.isArray(parts) ? parts : []))
      .flatMap((part) => openPlaces(part, place)),
  ];
}

const labelOf = ({ method, name, context, rest = [] }: Service): string =>
  [method, name || '(content)', context, ...rest].join(' ');

const found = services.flatMap((service) =>
  Object.values(service.responses).flatMap(({ schema }) =>
    openPlaces(schema).map((place) => `${labelOf(service)}: ${place}`),
  ),
);

it('the places of responses where any value fits are those of open-schemas.txt, so that the list only gets shorter', async () => {
  await expect(`${[...new Set(found)].sort().join('\n')}\n`).toMatchFileSnapshot('open-schemas.txt');
});

it('no response has a schema that says nothing, except a setting of any kind', () => {
  expect(found.filter((place) => place.endsWith(': '))).toEqual(['GET @registry site {name}: ']);
});
