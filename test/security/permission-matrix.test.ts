import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/services/openapi/document.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { services } from '../support/registries.ts';
import { askAll } from './matrix/ask-all.ts';
import type { Caller } from './matrix/callers.ts';
import { rowsAgainstDeclarations } from './matrix/declared.ts';
import { addLocalManager, foundBelow, notAsMember } from './matrix/places.ts';
import { expectedOf, type Row, STATES } from './matrix/row.ts';
import { ROWS } from './matrix/rows.ts';
import { type Scene, startScene } from './matrix/scene.ts';

/** Operations that nobody succeeds with, each with the reason. */
const WITHOUT_SUCCESS = new Map<string, string>([
  ['DELETE /', 'the site root may not be removed'],
  ['POST /@content-rules', 'the rule is missing'],
  ['POST /{path}/@content-rules', 'the rule is missing'],
  ['POST /@workflow', 'the transition is missing'],
  ['POST /{path}/@workflow', 'the transition is missing'],
  ['POST /@workingcopy', 'the site root has no container for a working copy'],
  ['GET /@sources', 'the field is missing'],
  ['GET /{path}/@sources', 'the field is missing'],
  ['GET /@querysources', 'the field is missing'],
  ['GET /{path}/@querysources', 'the field is missing'],
  ['POST /@cache-purges', 'the site tells no caches of changes'],
  ['PATCH /@workingcopy', 'the site root has no working copy'],
  ['DELETE /@workingcopy', 'the site root has no working copy'],
  ...['/', '/{path}/'].flatMap((at) => [
    [`DELETE ${at}@scheduled-transitions/{id}`, 'the scheduled transition is missing'] as const,
    [`DELETE ${at}@preview-links/{id}`, 'the link is missing'] as const,
    [`GET ${at}@scheduled-transitions/{id}`, 'the scheduled transition is missing'] as const,
    [`GET ${at}@preview-links/{id}`, 'the link is missing'] as const,
  ]),
  ['POST /@tus-replace', 'the site root has no file of its own'],
  ['POST /@translations', 'the site root is in no language'],
  ['POST /@language-folders', 'the site is in one language'],
  ['GET /@logout-openid', 'the site has no provider'],
  ['DELETE /@provider-accounts/{account}', 'the user has no account with a provider'],
  ['DELETE /@users/{id}/@provider-accounts', 'the user has no account with a provider'],
  ['DELETE /@translations', 'the site root is in no language'],
  ...['POST /@chat', 'POST /{path}/@chat', 'POST /@generate', 'POST /{path}/@generate'].map(
    (operation) => [operation, 'there is no language model'] as const,
  ),
  ['DELETE /@sessions/{session}', 'the session is missing'],
  ...['confirm', 'recovery-codes', 'disable'].map((part) => [`POST /@totp/${part}`, 'the code is wrong'] as const),
  ['DELETE /@users/{id}/@totp', 'the user has no second factor'],
  ['GET /@login-openid', 'there is no provider'],
  ['GET /@login-openid/callback', 'there is no provider'],
  ['GET /@login-openid/{provider}', 'the provider is missing'],
  ['GET /@login-openid/{provider}/callback', 'the provider is missing'],
  ['POST /@provider-accounts', 'the provider is missing'],
  ['GET /@access-tokens/{token}', 'the token is missing'],
  ['DELETE /@access-tokens/{token}', 'the token is missing'],
  ['DELETE /@users/{id}/@access-tokens/{token}', 'the token is missing'],
  ...['address', 'token'].flatMap((part) =>
    ['/', '/{path}/'].map((at) => [`POST ${at}@validate-email-${part}`, 'the form is missing'] as const),
  ),
]);

const HOW =
  'Add a row to the table of its area, test/security/matrix/rows-*.ts: "ask" is the operation, then comes what a granted ' +
  'request needs (with, query, json), and the status for each caller on private and on published content.';

describe('the permission matrix', () => {
  const operations = routesOf(services).map(({ method, template }) => `${method} ${template}`);
  const asked = new Set(ROWS.map(({ ask }) => ask));

  it('the matrix has a row for every operation, and no others', () => {
    expect(
      operations.filter((operation) => !asked.has(operation)),
      HOW,
    ).toEqual([]);
    expect([...asked].filter((ask) => !operations.includes(ask))).toEqual([]);
  });

  it('every operation of the matrix succeeds for somebody, unless a reason is given', () => {
    const succeeds = (row: Row) =>
      STATES.some((state) => expectedOf(row, state).some(({ status }) => status >= 200 && status < 400));
    const successful = new Set(ROWS.filter(succeeds).map(({ ask }) => ask));
    expect(operations.filter((operation) => !successful.has(operation)).sort()).toEqual(
      [...WITHOUT_SUCCESS.keys()].sort(),
    );
  });
});

describeQuickestEngine('the permission matrix over HTTP', (engine) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene(engine);
  });
  afterAll(() => scene?.close());

  describe.each(STATES)('on %s content', (state) => {
    beforeAll(() => scene.enter(state));

    it.each(ROWS)('$ask $with $query $json', async (row) => {
      expect(await askAll(scene, row, state)).toEqual([]);
    });

    it('callers without the permission that a service declares are rejected', async () => {
      expect(await rowsAgainstDeclarations(scene, ROWS, state)).toEqual([]);
    });
  });

  describe('a local role', () => {
    let local: Caller;
    beforeAll(async () => {
      local = await addLocalManager(scene);
    });

    it('a local role opens its content, and nothing of the site', async () => {
      const changed = await scene.site.request('PATCH', scene.page().path, {
        as: local.as,
        json: { title: 'Changed' },
      });
      expect(changed.status).toBe(204);
      expect(await notAsMember(scene, ROWS, local)).toEqual([]);
    });

    it('a local role opens no service of the site below its content', async () => {
      expect(await foundBelow(scene, local)).toEqual([]);
    });
  });
});
