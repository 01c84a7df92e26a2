import { message } from '../lib/say.ts';
import { StateBadge, type States } from './state-badge.tsx';

const STATES: States = {
  created: { title: message('Waits'), kind: 'plain' },
  running: { title: message('Runs'), kind: 'info' },
  completed: { title: message('Done'), kind: 'good' },
  failed: { title: message('Failed'), kind: 'bad' },
  aborted: { title: message('Ended'), kind: 'plain' },
};

/** The state of a job, as the site names it. */
export const JobState = ({ of }: { of: string }) => <StateBadge states={STATES} of={of} />;
