import type { RequestContext, Service, Site } from '#core';
import { BadRequest } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { BASE, WRITES } from '../proposals/allowed-writes.ts';
import type { TargetKind } from '../proposals/statements/proposals.ts';

/** The writes of content that a release may have beside those of proposals. */
const CONTENT: ReadonlyMap<string, TargetKind> = new Map([...WRITES, ['PATCH @workingcopy', 'change']]);

/** The writes of the set-up that a release may have, by service. A rehearsal does not lend the rights for them. */
const SETUP: ReadonlyMap<string, readonly string[]> = new Map([
  ['@actions', ['POST', 'PATCH', 'DELETE']],
  ['@aliases', ['POST', 'DELETE']],
  ['@controlpanels', ['PATCH']],
  ['@translations', ['POST', 'DELETE']],
  ['@types', ['POST', 'PATCH', 'PUT', 'DELETE']],
  ['@vocabularies', ['POST', 'PATCH', 'DELETE']],
  ['@workflow-types', ['PATCH']],
  ['@workflows', ['POST', 'PATCH', 'DELETE']],
]);

const NOT_POSSIBLE =
  'This is not possible in a release. It may create, change, move, copy and remove content, check working copies in, make transitions, and change types, workflows, vocabularies, menus, aliases, translations and control panels.';

/** Says if a service changes the set-up of the site. */
export const isSetup = ({ name }: Service): boolean => SETUP.has(name);

/** Throws BadRequest for a body with secrets: releases are read by others than those who may change a panel. */
function rejectSecrets(site: Site, panel: unknown, body: JsonObject | undefined): void {
  const settings = site.registries.panels.get(String(panel))?.settings ?? [];
  const secret = settings.find(
    ({ name, secret }) => secret === true && body !== undefined && Object.hasOwn(body, name),
  );
  if (secret)
    throw new BadRequest(`"${secret.name}" is a secret, which a release must not have. Change it in its panel.`);
}

/**
 * Returns what a request does to the object at its address. Throws BadRequest for one that a release may not have. `own` are parameters that the
 * release itself has added.
 */
export function kindOfPart(
  service: Service,
  { searchParams, params, lookup }: Pick<RequestContext, 'searchParams' | 'params' | 'lookup'>,
  { body, own = [] }: { body?: JsonObject | undefined; own?: readonly string[] } = {},
): TargetKind {
  const { method, name, rest } = service;
  const kind = CONTENT.get(`${method} ${name}`);
  const isOfSetup = SETUP.get(name)?.includes(method) === true;
  // Rules and providers of logins are below the address of the panels, and have secrets.
  const isOther = name === '@controlpanels' && rest?.join() !== '{panel}';
  if ((kind === undefined && !isOfSetup) || isOther) throw new BadRequest(NOT_POSSIBLE);
  const possible = [...(name === '' && method === 'PATCH' ? [BASE] : []), ...own];
  const other = [...searchParams.keys()].find((parameter) => !possible.includes(parameter));
  if (other !== undefined)
    throw new BadRequest(
      `The parameter "${other.slice(0, 100)}" is not possible in a release: only "${BASE}" of a change.`,
    );
  if (name === '@controlpanels') rejectSecrets(lookup.site, params.panel, body);
  return kind ?? 'change';
}
