/** Why a transaction cannot be undone a second time. */
export const ALREADY_UNDONE = 'This has been undone already.';
/** Why a transaction of more steps than are kept cannot be undone. */
export const TOO_MUCH = 'This has changed too much at once to be undone.';

/** Why steps that nothing undoes are so, by their actions. */
const REASONS = {
  edited: (path: string) => `${path} has no versions.`,
  deleted: (path: string) => `${path} is no longer in the recycle bin.`,
  checkedIn: (path: string) => `${path} was checked in without a change.`,
  ordered: (path: string) => `Too many objects in ${path} got another place at once.`,
  commented: (path: string) => `A comment on ${path} cannot be undone.`,
  settings: () => 'Settings cannot be undone here: change them in their control panel.',
  user: () => 'Changes of users cannot be undone.',
  site: () => 'Changes of users, groups and the set-up of the site cannot be undone here.',
};

/** A step that nothing undoes. */
export type FinalStep = { action: keyof typeof REASONS; path: string };

/** Why a step can never be undone, in English as the descriptions of transactions. */
export const whyFinal = ({ action, path }: FinalStep): string => REASONS[action](path);
