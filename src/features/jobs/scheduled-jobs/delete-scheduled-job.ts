import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { defineService, noContent } from '../../../services/service.ts';
import { removeScheduledJob } from '../change-scheduled-jobs.ts';

/** DELETE `@scheduled-jobs/<id>`: removes one. */
export const deleteScheduledJob = defineService({
  name: '@scheduled-jobs',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Removes a scheduled job. Jobs that it has started stay.',
  rest: ['{id}'],
  responses: { 204: { description: 'Removed.' }, 404: { description: 'There is no such scheduled job.' } },
  async run({ db, rest: [id = ''] }) {
    await removeScheduledJob(db, id);
    return noContent();
  },
});
