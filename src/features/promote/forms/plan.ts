import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { PlaceForm } from './object-form.ts';

/** Entries of a plan that a site at an address applies at once. */
export const MAX_ENTRIES = 1000;
/** Bytes of the JSON of a plan with its files, as it is sent to a site at an address. */
export const MAX_PLAN_BYTES = 64 * 1024 * 1024;

/** A value on both sides; the side that does not have it lacks the member. */
const Both = Type.Object({ from: Type.Optional(Type.Unknown()), to: Type.Optional(Type.Unknown()) });
const Changes = Type.Record(Type.String(), Both);

const Named = { uid: Type.String({ maxLength: 64 }), path: Type.String({ maxLength: 4000 }) };

/** One change of a plan. */
export const PlanEntry = Type.Union([
  Type.Object({
    ...{ change: Type.Literal('created'), ...Named, place: PlaceForm, type: Type.String() },
    layout: Type.Union([Type.String(), Type.Null()]),
    values: Type.Record(Type.String(), Type.Unknown()),
    settings: Type.Record(Type.String(), Type.Unknown()),
  }),
  Type.Object({
    ...{ change: Type.Literal('changed'), ...Named, type: Type.String() },
    place: Type.Optional(Type.Object({ from: PlaceForm, to: PlaceForm })),
    layout: Type.Optional(
      Type.Object({
        from: Type.Union([Type.String(), Type.Null()]),
        to: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    values: Changes,
    settings: Changes,
  }),
  Type.Object({ change: Type.Literal('removed'), ...Named, digest: Type.String() }),
  Type.Object({
    ...{ change: Type.Literal('ordered'), ...Named },
    from: Type.Array(Type.String()),
    to: Type.Array(Type.String()),
  }),
]);
export type PlanEntry = Static<typeof PlanEntry>;

/** An entry of one kind. */
export type EntryOf<Change extends PlanEntry['change']> = Extract<PlanEntry, { change: Change }>;

/** A piece of the set-up that is new, other or gone: of the settings of a panel only those that differ. */
export const PlanPiece = Type.Object({
  kind: Type.String(),
  id: Type.String(),
  file: Type.String({ description: 'The file of a profile that has such pieces.' }),
  position: Type.Number(),
  from: Type.Optional(Type.Unknown()),
  to: Type.Optional(Type.Unknown()),
});
export type PlanPiece = Static<typeof PlanPiece>;

/** Rules for what the site has changed as well as the plan: keep the site, take the plan, or stop without a change. */
export const CONFLICT_RULES = ['keep', 'take', 'stop'] as const;
export type ConflictRule = (typeof CONFLICT_RULES)[number];

/** Says if a word is a rule for conflicts. */
export const isConflictRule = (word: unknown): word is ConflictRule => CONFLICT_RULES.some((rule) => rule === word);

/** The changes that make one place as another one is. */
export type Plan = { setup: PlanPiece[]; entries: PlanEntry[] };

const PlanForm = Type.Object({ setup: Type.Array(PlanPiece), entries: Type.Array(PlanEntry) });

/** Says if a value has the form of a plan. */
export const isPlan = (value: unknown): value is Plan => Value.Check(PlanForm, value);

/** The pieces of a stored text. Throws for a text that this program has not stored. */
export function parseSetup(text: string): PlanPiece[] {
  const setup: unknown = JSON.parse(text);
  if (!Value.Check(PlanForm.properties.setup, setup)) throw new Error('The set-up of a stored plan is malformed');
  return setup;
}
