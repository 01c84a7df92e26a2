import { type Static, Type } from 'typebox';
import { access, schemas, type TreeNode, VIEW } from '#core';
import type { Question } from './decision.ts';
import { askerMay, type Viewpoint } from './viewpoint.ts';

/** Kinds of single changes. */
const KINDS = ['share', 'transition', 'inherit', 'dates', 'enable', 'credentials'] as const;

/** The JSON bodies of the requests that make changes. */
const Body = Type.Object(
  {
    entries: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String(),
          type: Type.Enum(['user', 'group']),
          roles: Type.Record(Type.String(), Type.Boolean()),
        }),
      ),
    ),
    inherit: Type.Optional(Type.Boolean()),
    effective: Type.Optional(Type.Null()),
    expires: Type.Optional(schemas.Nullable(Type.String({ format: 'date-time' }))),
    enabled: Type.Optional(Type.Boolean()),
  },
  { description: 'The JSON body.' },
);

/** A single change that reverses a decision. */
export const Change = Type.Object({
  change: Type.Enum([...KINDS]),
  message: Type.String({ description: 'The change as a sentence.' }),
  possible: Type.Boolean({ description: 'The caller of this request may make it.' }),
  request: schemas.Nullable(
    Type.Object({
      method: Type.String(),
      '@id': Type.String({ format: 'uri' }),
      body: Body,
    }),
    { description: 'The request that makes it; null for the choice of other credentials.' },
  ),
});

export type ProposedChange = Static<typeof Change>;

/** A change that may reverse a decision; `question` is the question after the change. */
export type Candidate = { question: Question; change: ProposedChange };

/** The question after a change of the node at a place of the chain. */
export function withNode(view: Viewpoint, question: Question, at: number, change: Partial<TreeNode>): Question {
  const node = view.nodes[at];
  if (!node) return question;
  return { ...question, chain: question.chain.with(at, access.node(view.site, { ...node, ...change })) };
}

/** Places of the chain that the asker may view. */
export const visiblePlaces = (view: Viewpoint): { node: TreeNode; at: number }[] =>
  view.nodes.flatMap((node, at) => (askerMay(view, VIEW, at) ? [{ node, at }] : []));
