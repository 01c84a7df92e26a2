import { message, say } from '../lib/say.ts';
import { Badge } from './page.tsx';

const STATES: Readonly<Record<string, { title: string; kind: string }>> = {
  created: { title: message('Waits'), kind: 'plain' },
  running: { title: message('Runs'), kind: 'info' },
  completed: { title: message('Done'), kind: 'good' },
  failed: { title: message('Failed'), kind: 'bad' },
  aborted: { title: message('Ended'), kind: 'plain' },
};

/** The state of a job, as the site names it. */
export const JobState = ({ of }: { of: string }) => (
  <Badge kind={STATES[of]?.kind ?? 'plain'}>{say(STATES[of]?.title ?? of)}</Badge>
);
