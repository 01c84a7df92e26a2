import { permissions, say, security, sitePieces, urlOf, VIEW } from '#core';
import { type Candidate, withNode } from './candidate.ts';
import { countingLocalRoles, type Question } from './decision.ts';
import { askerMay, principalOf, type Viewpoint } from './viewpoint.ts';

/** Maximum number of groups of one user to which changes give a role. */
const MAX_GROUPS = 10;
/** Roles that somebody may give at a place of the chain by sharing. */
const rolesToShare = ({ site, chain }: Viewpoint, at: number): string[] =>
  site.roles
    .map(({ id }) => id)
    .filter((role) => security.rolesWith(sitePieces.delegationOf(role), chain.slice(at), site.roleMap).size > 0);

/** A change of the roles that a principal has at a place of the chain. */
function sharingChange(
  view: Viewpoint,
  question: Question,
  { at, token, role, isGiven }: { at: number; token: string; role: string; isGiven: boolean },
): Candidate[] {
  const node = view.nodes[at];
  const principal = principalOf(view, token);
  if (!node || !principal) return [];
  const { site } = view;
  const present = node.localRoles[token] ?? [];
  const roles = isGiven ? [...present, role] : present.filter((one) => one !== role);
  const { [token]: _, ...others } = node.localRoles;
  const localRoles = roles.length > 0 ? { ...others, [token]: roles } : others;
  const { title } = principal;
  const { path } = node;
  return [
    {
      question: withNode(view, question, at, { localRoles }),
      change: {
        change: 'share',
        message: isGiven
          ? say(site, `Give the role "${role}" on ${path} to ${title}.`)
          : say(site, `Take the role "${role}" on ${path} from ${title}.`),
        possible: [permissions.DELEGATE_ROLES, sitePieces.delegationOf(role)].every((one) => askerMay(view, one, at)),
        request: {
          method: 'POST',
          '@id': `${urlOf(view.base, path)}/@sharing`,
          body: {
            entries: [
              { id: principal.id, type: principal.type, roles: Object.fromEntries(roles.map((one) => [one, true])) },
            ],
          },
        },
      },
    },
  ];
}

/** Changes that give roles to the user or to a group on the content itself, or take roles where they were given. */
export function sharingChanges(view: Viewpoint, question: Question): Candidate[] {
  const { caller } = question;
  if (caller.id === null) return [];
  const groups = view.subject.groups.slice(0, MAX_GROUPS).map(({ id }) => `group:${id}`);
  const given = [`user:${caller.id}`, ...groups].flatMap((token) =>
    rolesToShare(view, 0)
      .filter((role) => !view.nodes[0]?.localRoles[token]?.includes(role))
      .flatMap((role) => sharingChange(view, question, { at: 0, token, role, isGiven: true })),
  );
  const taken = countingLocalRoles(caller, question.chain)
    .filter(({ node, role }) => askerMay(view, VIEW, node) && rolesToShare(view, node).includes(role))
    .flatMap(({ node, role, principal }) =>
      sharingChange(view, question, { at: node, token: principal, role, isGiven: false }),
    );
  return [...given, ...taken];
}
