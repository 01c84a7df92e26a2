import type { GuardCondition } from 'canopy-server';

/** The condition `example.four-eyes`, which the workflow in `profile/workflows/` names: nobody publishes their own content. */
export const fourEyes: GuardCondition = {
  name: 'example.four-eyes',
  passes: ({ caller, chain: [content] }) => !content?.localRoles[`user:${caller.id}`]?.includes('Owner'),
};
