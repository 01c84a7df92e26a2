import { MODIFY, message, permissions, publishing, say, stateOf, urlOf, workflowHistory } from '#core';
import { type Candidate, type ProposedChange, visiblePlaces, withNode } from './candidate.ts';
import { isAllowed, type Question } from './decision.ts';
import { sharingChanges } from './sharing-changes.ts';
import { askerMay, type Viewpoint } from './viewpoint.ts';

/** Maximum number of changes in one response. */
const MAX_CHANGES = 100;

/** Transitions of the content and of its containers. */
function transitionChanges(view: Viewpoint, question: Question): Candidate[] {
  const { site, asker, nodes } = view;
  return visiblePlaces(view).flatMap(({ node, at }) => {
    const current = stateOf(site, node);
    const offered = workflowHistory.available(site, asker, { object: node, ancestors: nodes.slice(at + 1) });
    return (current?.state.transitions ?? []).flatMap((id): Candidate[] => {
      const transition = current?.workflow.transitions[id];
      if (!transition) return [];
      const { title } = transition;
      const { path } = node;
      return [
        {
          question: withNode(view, question, at, { reviewState: transition.new_state }),
          change: {
            change: 'transition',
            message: say(site, `Make the transition "${title}" on ${path}.`),
            possible: offered.some((one) => one.id === id),
            request: {
              method: 'POST',
              '@id': `${urlOf(view.base, path)}/@workflow/${encodeURIComponent(id)}`,
              body: {},
            },
          },
        },
      ];
    });
  });
}

/** Changes that stop, or no longer stop, the local roles of containers. */
function inheritanceChanges(view: Viewpoint, question: Question): Candidate[] {
  const { site, asker, subject } = view;
  return visiblePlaces(view).flatMap(({ node, at }): Candidate[] => {
    const inherit = !node.inheritRoles;
    // Callers who stop the inheritance keep their own roles.
    if (!inherit && asker.id !== null && asker.id === subject.id) return [];
    const { path } = node;
    return [
      {
        question: withNode(view, question, at, { inheritRoles: inherit }),
        change: {
          change: 'inherit',
          message: inherit
            ? say(site, `Let roles that are given above ${path} count there.`)
            : say(site, `Stop roles that are given above ${path} there.`),
          possible: [permissions.DELEGATE_ROLES, MODIFY].every((one) => askerMay(view, one, at)),
          request: { method: 'POST', '@id': `${urlOf(view.base, path)}/@sharing`, body: { inherit } },
        },
      },
    ];
  });
}

/** Changes of one date of publication that begin or end the time in which the content is shown. */
function dateChanges(view: Viewpoint, question: Question, now: Date): Candidate[] {
  const [node] = view.nodes;
  const type = node && view.site.types.get(node.type);
  if (!node || !type || !publishing.datesAct(view.site)) return [];
  const isEarly = node.effective !== null && node.effective > now;
  const isLate = node.expires !== null && node.expires <= now;
  const changes = [
    {
      name: 'effective',
      isWanted: isEarly && !isLate,
      inTime: true,
      text: message('Remove the publishing date, or set an earlier one.'),
      body: { effective: null },
    },
    {
      name: 'expires',
      isWanted: isLate && !isEarly,
      inTime: true,
      text: message('Remove the expiration date, or set a later one.'),
      body: { expires: null },
    },
    {
      name: 'expires',
      isWanted: node.inTime,
      inTime: false,
      text: message('Set an expiration date that is over.'),
      body: { expires: now.toISOString() },
    },
  ];
  return changes
    .filter(({ name, isWanted }) => isWanted && type.fieldByName.has(name))
    .map(({ inTime, text, body }) => ({
      question: withNode(view, question, 0, { inTime }),
      change: {
        change: 'dates',
        message: say(view.site, text),
        possible: askerMay(view, MODIFY, 0),
        request: { method: 'PATCH', '@id': urlOf(view.base, node.path), body },
      },
    }));
}

/** Changes that end the limits of credentials, or enable a disabled user. */
function personChanges(view: Viewpoint, question: Question): Candidate[] {
  const { site, subject, chain } = view;
  const found: Candidate[] = [];
  if (question.limit !== undefined)
    found.push({
      question: { ...question, limit: undefined },
      change: {
        change: 'credentials',
        message: say(site, message('Use credentials without these limits.')),
        possible: true,
        request: null,
      },
    });
  if (subject.onceEnabled && subject.id !== null)
    found.push({
      question: { ...question, caller: subject.onceEnabled },
      change: {
        change: 'enable',
        message: say(site, message('Let the user log in again.')),
        possible: askerMay(view, permissions.MANAGE_USERS, chain.length - 1),
        request: {
          method: 'PATCH',
          '@id': `${view.base}/@users/${encodeURIComponent(subject.id)}`,
          body: { enabled: true },
        },
      },
    });
  return found;
}

/** Returns the single changes that reverse the decision, each verified by deciding again. */
export function turningChanges(view: Viewpoint, question: Question, now: Date): ProposedChange[] {
  const allowed = isAllowed(question);
  return [personChanges, sharingChanges, transitionChanges, inheritanceChanges, dateChanges]
    .flatMap((candidates) => candidates(view, question, now))
    .filter((candidate) => isAllowed(candidate.question) !== allowed)
    .map(({ change }) => change)
    .slice(0, MAX_CHANGES);
}
