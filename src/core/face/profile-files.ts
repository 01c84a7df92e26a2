/** Files of profiles and add-ons, and the pieces in them. */

export { loadFiles as load } from '../configuration/profiles/profile.ts';
export { profileFiles as filesOf } from '../configuration/profiles/profile-files.ts';
export {
  fileEntries as entriesOf,
  isPieceFile,
  type ProfileRow as Row,
  requireProfileRows as requireRows,
} from '../configuration/profiles/profile-rows.ts';
export { profileSteps as stepsOf } from '../configuration/profiles/profile-step.ts';
