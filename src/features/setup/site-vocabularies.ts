import { type Static, Type } from 'typebox';
import {
  configuration,
  created,
  defineService,
  MANAGE_PORTAL,
  noContent,
  pieceUse,
  type Service,
  type Site,
  schemas,
} from '#core';
import { BadRequest, NotFound } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { changeSetup, nextPosition, rowWith, type SetupChange } from './change-setup.ts';
import { addonWith, rejectField, requireForm } from './check-data.ts';

const MAX_VOCABULARIES = 200;
const MAX_TERMS = 5000;
/** Maximum number of terms in all vocabularies of a site, because every process has all of them in memory. */
const MAX_ALL_TERMS = 20_000;
const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,199}$/;

const Term = Type.Object(
  { token: schemas.Text({ minLength: 1, maxLength: 200 }), title: schemas.Text({ minLength: 1, maxLength: 500 }) },
  { additionalProperties: false },
);
const TERMS = {
  title: schemas.Text({ description: 'How people call it.', minLength: 1, maxLength: 200 }),
  items: Type.Array(Term, { description: 'The terms in their order.', maxItems: MAX_TERMS }),
};
const NewVocabulary = Type.Object(
  { id: schemas.Text({ description: 'Its name, which fields use.' }), ...TERMS },
  { additionalProperties: false },
);

const addressOf = (base: string, id: string): string => `${base}/@vocabularies/${encodeURIComponent(id)}`;

/** Throws ValidationFailed for two terms with the same token. */
function requireDistinct(items: readonly Static<typeof Term>[]): void {
  const tokens = new Set<string>();
  for (const [at, { token }] of items.entries()) {
    if (tokens.has(token)) rejectField(`items.${at}.token`, `There are two terms with the token "${token}".`);
    tokens.add(token);
  }
}

/** Throws BadRequest when the site would have too many vocabularies or terms after `items` replace the vocabulary `id`. */
function requireRoom({ vocabularies }: Site, id: string, items: readonly unknown[]): void {
  const others = [...vocabularies.values()].filter((one) => one.id !== id);
  const terms = others.reduce((sum, one) => sum + one.items.length, items.length);
  if (others.length >= MAX_VOCABULARIES || terms > MAX_ALL_TERMS)
    throw new BadRequest(
      `A site has at most ${MAX_VOCABULARIES} vocabularies of its own, with ${MAX_ALL_TERMS} terms in all of them.`,
    );
}

/** A vocabulary in the data of the site. Throws NotFound for an unknown one, and BadRequest for a vocabulary of the server or of an add-on. */
function requireOwn({ site, rows }: SetupChange, id: string): JsonObject {
  const row = rows.find(({ kind, id: name }) => kind === configuration.KINDS.vocabulary && name === id);
  if (!row) {
    if (site.registries.vocabularies.names(site).includes(id))
      throw new BadRequest(`The vocabulary "${id}" is part of the server and cannot be changed.`);
    throw new NotFound(`/@vocabularies/${id}`);
  }
  const addon = addonWith(site, configuration.KINDS.vocabulary, id);
  if (addon !== undefined)
    throw new BadRequest(`The vocabulary "${id}" belongs to the add-on "${addon}" and goes with it.`);
  return { ...(row.data as JsonObject) };
}

/** POST `@vocabularies`: makes a vocabulary. */
const postVocabulary = defineService({
  name: '@vocabularies',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Makes a vocabulary, from which fields can choose.',
  body: NewVocabulary,
  responses: {
    201: {
      description: 'The vocabulary.',
      schema: Type.Object({ '@id': Type.String({ format: 'uri' }), id: Type.String(), ...TERMS }),
      headers: { Location: { description: 'Its address.' } },
    },
    400: { description: 'The name cannot be, or is taken, or two terms have one token.' },
  },
  async run({ kernel, caller, base, body }) {
    const { id, title, items } = body;
    await changeSetup(kernel, { caller }, (change) => {
      if (!NAME.test(id))
        rejectField('id', 'A name has up to 200 letters, digits, ".", "_" and "-" and begins with a letter.');
      if (change.site.registries.vocabularies.names(change.site).includes(id))
        rejectField('id', `There is a vocabulary "${id}" already.`);
      requireDistinct(items);
      requireRoom(change.site, id, items);
      const data = { id, title, items };
      return {
        write: [
          {
            kind: configuration.KINDS.vocabulary,
            id,
            position: nextPosition(change, configuration.KINDS.vocabulary),
            data,
          },
        ],
      };
    });
    return created({ '@id': addressOf(base, id), id, title, items }, { Location: addressOf(base, id) });
  },
});

/** PATCH `@vocabularies/<name>`: changes a vocabulary. */
const patchVocabulary = defineService({
  name: '@vocabularies',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Changes the title or replaces the terms of a vocabulary of the site. Content keeps tokens that go.',
  rest: ['{name}'],
  body: schemas.Changes(Type.Object(TERMS), { additionalProperties: false }),
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'Two terms have one token, or the vocabulary is part of the server or of an add-on.' },
    404: { description: 'There is no such vocabulary.' },
  },
  async run({ kernel, caller, params: { name }, body }) {
    await changeSetup(kernel, { caller }, (change) => {
      const data = { ...requireOwn(change, name), ...body };
      requireDistinct(body.items ?? []);
      if (body.items) requireRoom(change.site, name, body.items);
      requireForm(configuration.KINDS.vocabulary, data);
      return { write: [rowWith(change, { kind: configuration.KINDS.vocabulary, id: name }, data)] };
    });
    return noContent();
  },
});

/** DELETE `@vocabularies/<name>`: removes a vocabulary. */
const deleteVocabulary = defineService({
  name: '@vocabularies',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Removes a vocabulary of the site that no field uses.',
  rest: ['{name}'],
  responses: {
    204: { description: 'Removed.' },
    400: { description: 'A field uses it, or it is part of the server or of an add-on.' },
    404: { description: 'There is no such vocabulary.' },
  },
  async run({ kernel, caller, params: { name } }) {
    await changeSetup(kernel, { caller }, (change) => {
      requireOwn(change, name);
      const field = pieceUse.fieldChoosing(change.site, name);
      if (field !== undefined) throw new BadRequest(`The field "${field}" chooses from the vocabulary "${name}".`);
      return { remove: [{ kind: configuration.KINDS.vocabulary, id: name }] };
    });
    return noContent();
  },
});

/** Making, changing and removing vocabularies. */
export const vocabularyServices: Service[] = [postVocabulary, patchVocabulary, deleteVocabulary];
