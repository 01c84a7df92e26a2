/**
 * Changes of the configuration as a whole, all by one engine: install, upgrade and set-up of profiles and add-ons, and the following changes of
 * existing content. `profiles.changeConfiguration` is the transaction of all of them.
 */

export { PIECE_KINDS, requireProfileRows as requireRows } from '../configuration/profiles/profile-rows.ts';
export { ProfileBroken } from '../configuration/profiles/profile-schema.ts';
export { planContentJob } from '../profiles/bring-content.ts';
export { type ConfigurationChange as Change, changeConfiguration } from '../profiles/change-configuration.ts';
export { checkTypeChange } from '../profiles/change-type.ts';
export { followUpOf } from '../profiles/content-follow-up.ts';
export { mergeProfile } from '../profiles/merge-profile.ts';
export { loadSetupFolder, mergeSetup } from '../profiles/merge-setup.ts';
export { applyProfileUpgrade as applyUpgrade, loadProfileUpgrade as loadUpgrade } from '../profiles/profile-upgrade.ts';
export { type UpgradeTarget as Target, upgradeProfile as upgrade } from '../profiles/upgrade-profile.ts';
export { reportJson, reportLines } from '../profiles/upgrade-report.ts';
