import { Type } from 'typebox';
import { defineService, MANAGE_PORTAL, ok, type RequestContext, schemas } from '#core';
import { loadUpgradeState, runUpgrade } from './upgrade-site.ts';

const Versions = Type.Object({ fs: Type.String(), instance: Type.String() });
const Steps = Type.Record(Type.String(), Type.Array(Type.Object({ id: Type.String(), title: Type.String() })));

const DryRun = (description: string) =>
  Type.Optional(schemas.Nullable(Type.Boolean({ description, default: false }), { message: 'must be true or false' }));

const addressOf = ({ base }: RequestContext): string => `${base}/@upgrade`;

/** GET `@upgrade`: the pending steps of an upgrade. */
export const getUpgrade = defineService({
  name: '@upgrade',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Versions of the site and the upgrade steps between them.',
  responses: {
    200: {
      description: 'The versions and steps.',
      schema: Type.Object({ '@id': Type.String(), upgrade_steps: Steps, versions: Versions }),
    },
  },
  run: async (context) => ok({ '@id': addressOf(context), ...(await loadUpgradeState(context.kernel)) }),
});

/** POST `@upgrade`: upgrades the site, or makes a dry run. */
export const postUpgrade = defineService({
  name: '@upgrade',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Runs the upgrade steps in one transaction; a dry run is not committed.',
  body: Type.Object(
    {
      dry_run: DryRun('Whether to roll everything back after running all steps.'),
      dryRun: DryRun('The same, as Volto sends it.'),
    },
    { examples: [{ dry_run: true }] },
  ),
  responses: {
    200: {
      description: 'What was done.',
      schema: Type.Object({
        '@id': Type.String(),
        dry_run: Type.Boolean(),
        report: Type.String(),
        upgraded: Type.Boolean(),
        versions: Versions,
      }),
    },
  },
  async run(context) {
    const { kernel, caller, body } = context;
    const { answer } = await runUpgrade(kernel, { dryRun: body.dry_run ?? body.dryRun ?? false, caller });
    return ok({ '@id': addressOf(context), ...answer });
  },
});
