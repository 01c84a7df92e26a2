import type { Kernel } from '../../site/kernel.ts';
import { unlinkAcross } from './statements/working-copy-links.ts';

/**
 * Whoever removes one side of what is checked out ends it: the copy is content like any other then, the baseline is
 * free, and nothing of that comes back from the recycle bin. Both sides that go together come back together.
 */
export function subscribeWorkingCopies({ events }: Pick<Kernel, 'events'>): void {
  events.on('content.removing', ({ path }, { tx }) => unlinkAcross(tx, path));
}
