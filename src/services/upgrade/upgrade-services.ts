import { Type } from 'typebox';
import { readUpgradeState, runUpgrade } from '../../content/upgrade-site.ts';
import { BadRequest } from '../../lib/errors.ts';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import { documented } from '../openapi/documented.ts';
import { type Call, defineService, ok } from '../service.ts';

const Versions = Type.Object({ fs: Type.String(), instance: Type.String() });
const Steps = Type.Record(Type.String(), Type.Array(Type.Object({ id: Type.String(), title: Type.String() })));

const addressOf = ({ base }: Call): string => `${base}/@upgrade`;

/** GET `@upgrade`: what an upgrade would do. */
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
  run: async (call) => ok({ '@id': addressOf(call), ...(await readUpgradeState(call.kernel)) }),
});

/** POST `@upgrade`: upgrades the site, or tries it. */
export const postUpgrade = defineService({
  name: '@upgrade',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Runs the upgrade steps in one transaction; a dry run is not committed.',
  body: Type.Object(
    {
      dry_run: Type.Optional(
        documented(Type.Boolean({ description: 'Whether to abort after running all steps.', default: false })),
      ),
      dryRun: Type.Optional(documented(Type.Boolean({ description: 'The same, as Volto sends it.' }))),
    },
    { additionalProperties: true, examples: [{ dry_run: true }] },
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
  async run(call) {
    const dryRun = call.body.dry_run ?? call.body.dryRun ?? false;
    if (typeof dryRun !== 'boolean') throw new BadRequest('"dry_run" must be true or false.');
    return ok({ '@id': addressOf(call), ...(await runUpgrade(call.kernel, dryRun)) });
  },
});
