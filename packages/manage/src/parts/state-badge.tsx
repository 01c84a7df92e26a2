import { say } from '../lib/say.ts';
import { Badge } from './page.tsx';

/** The states of something by the names that the site has for them: their titles, and how their badges look. */
export type States = Readonly<Record<string, { title: string; kind: string }>>;

/** A state as a badge; one that the table does not have stands as the site names it. */
export const StateBadge = ({ states, of }: { states: States; of: string }) => (
  <Badge kind={states[of]?.kind ?? 'plain'}>{say(states[of]?.title ?? of)}</Badge>
);
