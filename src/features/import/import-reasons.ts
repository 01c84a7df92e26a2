/**
 * Why something of an export is not on the site as it was exported. `lost` values are not there, `changed` ones are there in
 * another form, and what is `added` or `kept` is no loss: it says what the import did beyond the content.
 */
export const REASONS = {
  object: { effect: 'lost', title: 'objects left out' },
  present: { effect: 'lost', title: 'objects left out because the site has content there' },
  unreadable: { effect: 'lost', title: 'files or parts of files that cannot be read' },
  unexported: { effect: 'lost', title: 'objects that the old site could not export' },
  value: { effect: 'lost', title: 'values that do not fit' },
  field: { effect: 'lost', title: 'values under names that no field can have' },
  file: { effect: 'lost', title: 'files that are not in the export' },
  target: { effect: 'lost', title: 'references to what is not there' },
  principal: { effect: 'lost', title: 'users and groups that are not there' },
  password: { effect: 'lost', title: 'passwords that cannot be checked' },
  unsupported: { effect: 'lost', title: 'things that this server does not have' },
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
} as const satisfies Record<string, { effect: 'lost' | 'changed' | 'kept' | 'added'; title: string }>;

export type ImportReason = keyof typeof REASONS;

/** The reasons in the order in which people read them. */
export const REASON_NAMES = Object.keys(REASONS) as ImportReason[];

/** Whether something is not on the site. A strict import stops at such. */
export const isLoss = (reason: ImportReason): boolean => REASONS[reason].effect === 'lost';
