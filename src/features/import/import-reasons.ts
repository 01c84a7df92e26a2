/** The effects of an import on a part of the export, the worst first. */
export const EFFECTS = ['lost', 'changed', 'kept', 'added'] as const;

export type ImportEffect = (typeof EFFECTS)[number];

/**
 * The reasons why a part of an export is not on the site as it was exported. `lost` values are missing and `changed` ones have
 * another form; `added` and `kept` are no losses, but further effects of the import. `advice` says what to do about a loss. The
 * reasons are in the order in which people read them.
 */
export const REASONS = {
  object: {
    effect: 'lost',
    title: 'objects left out',
    advice: 'Mend the objects in the export and import it again: what came is skipped.',
  },
  present: {
    effect: 'lost',
    title: 'objects left out because the site has content there',
    advice:
      'Move or remove the content of the site and import again, or take what lacks over by hand. A newer export of what was imported before is imported with --again.',
  },
  unreadable: {
    effect: 'lost',
    title: 'files or parts of files that cannot be read',
    advice: 'Mend the files, or export the site again, and import once more: what came is skipped.',
  },
  unexported: {
    effect: 'lost',
    title: 'objects that the old site could not export',
    advice: 'Look into the log of the old site, mend the objects there, and export again.',
  },
  value: {
    effect: 'lost',
    title: 'values that do not fit',
    advice: 'Set the values by hand, or mend them in the export and import it into a new site.',
  },
  field: {
    effect: 'lost',
    title: 'values under names that no field can have',
    advice: 'Give the fields other names in the export, or read the stored values with an add-on.',
  },
  file: {
    effect: 'lost',
    title: 'files that are not in the export',
    advice: 'Put the files into the export and import it again: the objects of this import get them.',
  },
  target: {
    effect: 'lost',
    title: 'references to what is not there',
    advice: 'Export what they refer to as well, or set the references by hand.',
  },
  principal: {
    effect: 'lost',
    title: 'users and groups that are not there',
    advice: 'Make the users and groups by hand (@users, @groups).',
  },
  password: {
    effect: 'lost',
    title: 'passwords that cannot be checked',
    advice: 'Have these users set new passwords (canopy reset-password, or the mail that does it).',
  },
  unsupported: {
    effect: 'lost',
    title: 'things that this server does not have',
    advice: 'Make something in their place: blocks, forms of the block schemaForm, or the front end.',
  },
  conflict: { effect: 'kept', title: 'parts that were changed here and in the export since the last import' },
  changed: { effect: 'changed', title: 'values changed so that they fit' },
  cleaned: { effect: 'changed', title: 'texts without what is not safe' },
  renamed: { effect: 'changed', title: 'ids, UIDs and addresses changed' },
  state: { effect: 'changed', title: 'workflow states changed' },
  link: { effect: 'changed', title: 'links that lead to nothing in the export' },
  container: { effect: 'changed', title: 'containers made for their content' },
  doubtful: { effect: 'kept', title: 'values that are kept, but do not go together or have no effect' },
  system: { effect: 'kept', title: 'notes of the old server about itself' },
  kept: { effect: 'kept', title: "users, groups and addresses of the site's own that stay" },
  added: { effect: 'added', title: 'types, fields and views added' },
} as const satisfies Record<
  string,
  { effect: 'lost'; title: string; advice: string } | { effect: Exclude<ImportEffect, 'lost'>; title: string }
>;

export type ImportReason = keyof typeof REASONS;

/** The reasons, the worst first. */
export const REASON_NAMES = Object.keys(REASONS) as ImportReason[];

/** True if the reason means that a part of the export is not on the site. A strict import stops there. */
export const isLoss = (reason: ImportReason): boolean => REASONS[reason].effect === 'lost';
