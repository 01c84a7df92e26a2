import { Type } from 'typebox';

const Paths = Type.Array(Type.String());

/** Conflicts of a plan with what the site has, in responses. */
export const ConflictsBody = Type.Array(
  Type.Object({
    path: Type.String(),
    uid: Type.String(),
    part: Type.String(),
    block: Type.Optional(Type.String()),
    here: Type.Optional(Type.Unknown()),
    there: Type.Optional(Type.Unknown()),
    message: Type.String(),
  }),
);

/** The outcome of a plan, in responses. */
export const ReportBody = Type.Object({
  created: Paths,
  changed: Paths,
  moved: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })),
  removed: Paths,
  ordered: Paths,
  same: Type.Integer({ description: 'Entries that the site had already as the plan wants them.' }),
  conflicts: ConflictsBody,
  setup: Type.Object({ lines: Type.Array(Type.String()), kept: Type.Integer() }),
  notes: Type.Array(Type.String()),
});
