import { BadRequest, type RuleAction } from 'canopy-server';
import { clearRatings } from './ratings.ts';

/** The action `example-forget-ratings` of content rules. The panel of the rule shows the message of an error. */
export const forgetAction: RuleAction = {
  name: 'example-forget-ratings',
  title: 'Forget the ratings',
  description: 'Remove what readers have given the content',
  schema: { fieldsets: [{ id: 'default', title: 'Default', fields: [] }], properties: {}, required: [] },
  summary: () => 'Forget the ratings',
  async run({ tx, content }) {
    if (content.object.type !== 'Example') throw new BadRequest('Only instructions have ratings.');
    await clearRatings(tx, content.object.oid);
  },
};
