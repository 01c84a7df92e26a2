import { type Static, Type } from 'typebox';
import { type callers, contentPath, message, permissions, publishing, say, schemas, security, stateOf } from '#core';
import { Change } from './candidate.ts';
import { turningChanges } from './changes.ts';
import {
  blockOf,
  decidingLink,
  decidingPermission,
  isAllowed,
  LINKS,
  type LocalRole,
  passesDates,
  type Question,
  type RoleSource,
  roleSources,
  settingSources,
  withheldRoles,
} from './decision.ts';
import { Place, Principal, placeAt, principalOf, State, type Viewpoint } from './viewpoint.ts';

const NamedPrincipal = schemas.Nullable(Principal, {
  description: 'Who was given the role; null for a group that the caller of this request may not read.',
});
const NamedPlace = schemas.Nullable(Place, {
  description: 'Where it was given; null where the caller of this request may not view the place.',
});

const Source = Type.Object({
  from: Type.Enum(['everybody', 'logged-in', 'account', 'group', 'sharing']),
  principal: Type.Optional(NamedPrincipal),
  at: Type.Optional(NamedPlace),
});

const Setting = Type.Object({
  from: Type.Enum(['content', 'workflow', 'site']),
  at: NamedPlace,
  state: State,
  roles: Type.Array(Type.String()),
  acquire: Type.Boolean({ description: 'Settings above it count as well.' }),
});

const When = schemas.Nullable(Type.String({ format: 'date-time' }));

/** Credentials that limit a request, in responses. */
const Credentials = Type.Object({
  methods: schemas.Nullable(Type.Array(Type.String()), { description: 'Null: all.' }),
  subtrees: schemas.Nullable(Type.Array(Type.String()), {
    description: 'Paths of those that the content is in; null: the token is good for the whole site.',
  }),
  passes: Type.Boolean(),
  message: schemas.Nullable(Type.String(), { description: 'Why they are not good for the request.' }),
});

/** An explained decision. */
export const Explanation = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  user: Type.Object({
    id: schemas.Nullable(Type.String(), { description: 'Null for visitors.' }),
    title: Type.String(),
    enabled: Type.Boolean({ description: 'False for a user who cannot log in, and has the rights of visitors.' }),
  }),
  permission: Type.String(),
  method: schemas.Nullable(Type.String(), { description: 'The method that limits of credentials are compared with.' }),
  allowed: Type.Boolean(),
  decided_by: Type.Enum([...LINKS], { description: 'The first link that stops the request, or the roles.' }),
  message: Type.String({ description: 'The reason as a sentence.' }),
  credentials: schemas.Nullable(Credentials, {
    description: 'Null for credentials without limits, and for other users.',
  }),
  api: Type.Boolean({ description: 'Whether the user may use the API here, without which nothing is allowed.' }),
  roles: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      grants: Type.Boolean({ description: 'The role has the permission here.' }),
      sources: Type.Array(Source),
    }),
    { description: 'All roles of the user here, and where they come from.' },
  ),
  settings: Type.Array(Setting, {
    description:
      'The settings that say which roles have the permission here, the nearest first; the last may be that of the site.',
  }),
  inheritance: Type.Object({
    blocked: Type.Boolean({ description: 'Roles given on containers do not count here.' }),
    at: NamedPlace,
    withheld: Type.Array(Type.Object({ role: Type.String(), principal: NamedPrincipal, at: NamedPlace })),
  }),
  dates: Type.Object({
    act: Type.Boolean({ description: 'The site hides content before and after its dates of publication.' }),
    effective: When,
    expires: When,
    hides: Type.Boolean({ description: 'The content is hidden now.' }),
    passes: Type.Boolean({ description: 'The user sees it all the same.' }),
  }),
  changes: Type.Array(Change, { description: 'Single changes that turn the decision.' }),
});

/** Limits of credentials; null limits nothing. An expired token allows no request. */
export type TokenLimits = {
  methods: readonly string[] | null;
  subtrees: readonly string[] | null;
  scopes: readonly callers.AgentScope[] | null;
  hasExpired: boolean;
};

/** The explained request: its address, and the limits of its credentials. */
export type ExplainedRequest = {
  url: string;
  method: string | undefined;
  limits: TokenLimits | null;
  now: Date;
};

/** The reason of a decision as a sentence in the language of the reader. */
function reasonOf(view: Viewpoint, question: Question, granting: string | undefined): string {
  const { site } = view;
  const link = decidingLink(question);
  if (link === 'credentials') return say(site, question.limit ?? '');
  if (view.subject.onceEnabled && !isAllowed(question))
    return say(site, message('The user is disabled and has the rights of visitors, who lack the permission here.'));
  if (link === 'dates') return say(site, message('The content is hidden by its dates of publication.'));
  if (link === 'api') return say(site, message('No role of the user may use the API here.'));
  if (granting === undefined) return say(site, message('No role of the user has the permission here.'));
  return say(site, `The role "${granting}" has the permission here.`);
}

const sourceJson = (view: Viewpoint, source: RoleSource): Static<typeof Source> => ({
  from: source.from,
  ...('principal' in source ? { principal: principalOf(view, source.principal) } : {}),
  ...('node' in source ? { at: placeAt(view, source.node) } : {}),
});

const localRoleJson = (view: Viewpoint, { role, principal, node }: LocalRole) => ({
  role,
  principal: principalOf(view, principal),
  at: placeAt(view, node),
});

/** The settings of the permission. States are left out for places that the asker may not view. */
const settingsJson = (view: Viewpoint, question: Question, permission: string): Static<typeof Setting>[] =>
  settingSources(permission, question).map(({ node: at, roles, acquire }) => {
    const node = at === undefined ? undefined : view.nodes[at];
    const place = placeAt(view, at);
    const isOwn = node?.localPermissions?.[permission] !== undefined;
    const current = node && place && !isOwn ? stateOf(view.site, node) : undefined;
    return {
      from: node ? (isOwn ? 'content' : 'workflow') : 'site',
      at: place,
      state: current ? { id: current.id, title: current.state.title } : null,
      roles: [...roles],
      acquire,
    };
  });

/** Explains a decision to the asker of the viewpoint. */
export function explain(
  view: Viewpoint,
  question: Question,
  { url, method, limits, now }: ExplainedRequest,
): Static<typeof Explanation> {
  const { site, subject, nodes, chain } = view;
  const permission = decidingPermission(question);
  const settings = settingSources(permission, question);
  const granted = new Set(settings.flatMap(({ roles }) => roles));
  const titles = new Map(site.roles.map(({ id, title }) => [id, title]));
  const roles = roleSources({ ...subject, caller: question.caller }, chain).map(({ role, sources }) => ({
    id: role,
    title: titles.get(role) ?? role,
    grants: granted.has(role),
    sources: sources.map((source) => sourceJson(view, source)),
  }));
  const block = blockOf(chain);
  const [content] = nodes;
  return {
    '@id': url,
    user: { id: subject.id, title: say(site, subject.title), enabled: subject.onceEnabled === undefined },
    permission: question.permission,
    method: method ?? null,
    allowed: isAllowed(question),
    decided_by: decidingLink(question),
    message: reasonOf(view, question, roles.find(({ grants }) => grants)?.id),
    credentials: limits && {
      methods: limits.methods && [...limits.methods],
      subtrees: limits.subtrees?.filter((top) => contentPath.isAtOrBelow(content?.path ?? '', top)) ?? null,
      passes: question.limit === undefined,
      message: question.limit === undefined ? null : say(site, question.limit),
    },
    api: security.can(permissions.USE_API, question.caller, chain, site.roleMap),
    roles,
    settings: settingsJson(view, question, permission),
    inheritance: {
      blocked: block !== undefined,
      at: placeAt(view, block),
      withheld: withheldRoles(question.caller, chain).map((local) => localRoleJson(view, local)),
    },
    dates: {
      act: publishing.datesAct(site),
      effective: content?.effective?.toISOString() ?? null,
      expires: content?.expires?.toISOString() ?? null,
      hides: chain[0]?.hidden === true,
      passes: passesDates(question),
    },
    changes: turningChanges(view, question, now),
  };
}
