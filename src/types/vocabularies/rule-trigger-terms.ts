import type { Term } from './term.ts';

/** What content rules may follow on, under the names that clients of Nick know. */
export const RULE_TRIGGER_TERMS: readonly Term[] = [
  { token: 'onAfterAdd', title: 'Content added to this container' },
  { token: 'onAfterDelete', title: 'Content removed from this container' },
  { token: 'onAfterModified', title: 'Content changed' },
  { token: 'onAfterCopy', title: 'Content copied' },
  { token: 'onAfterChangeWorkflow', title: 'Workflow state changed' },
  { token: 'onAfterLogin', title: 'User logged in' },
  { token: 'onAfterLogout', title: 'User logged out' },
  { token: 'onAfterCreateUser', title: 'User created' },
  { token: 'onAfterDeleteUser', title: 'User removed' },
];
