import type { Kernel } from '#core';
import { noteStates } from './statements/states.ts';

/** Has a release keep the states of content that its parts bring to others with a workflow. */
export function noteMovedStates({ events }: Kernel): void {
  events.on('states.moving', async ({ moves }, { tx, caller: { agent } }) => {
    if (agent?.kind === 'release') await noteStates(tx, agent.id, moves);
  });
}
