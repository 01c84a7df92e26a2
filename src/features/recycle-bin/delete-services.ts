import { defineService, noContent } from '../../services/service.ts';
import { emptyBin, purgeEntry } from './recycle-purge.ts';

/** DELETE `@recyclebin`: empties the bin. */
export const deleteRecyclebin = defineService({
  name: '@recyclebin',
  method: 'DELETE',
  context: 'site',
  permission: null,
  checkPermission: ({ caller }) => caller.id !== null,
  summary: 'Removes deleted content for good: for managers all of it, for other users what they deleted themselves.',
  responses: { 204: { description: 'Removed for good.' } },
  async run({ kernel, caller }) {
    await emptyBin(kernel, caller);
    return noContent();
  },
});

/** DELETE `@recyclebin/<id>`: removes one deletion for good. */
export const deleteEntry = defineService({
  name: '@recyclebin',
  method: 'DELETE',
  context: 'site',
  permission: null,
  checkPermission: ({ caller }) => caller.id !== null,
  summary: 'Removes an entry of the recycle bin for good.',
  rest: ['{recycle_id}'],
  responses: { 204: { description: 'Removed for good.' }, 404: { description: 'There is no such entry.' } },
  async run({ kernel, caller, rest: [id = ''] }) {
    await purgeEntry(kernel, caller, id);
    return noContent();
  },
});
