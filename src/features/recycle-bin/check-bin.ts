import type { FoundProblems, SiteCheck } from '#core';
import { loadBatches } from '#lib/batches';
import { type CheckedEntry, checkedEntries, mendCount, removeEmptyEntry } from './statements/check.ts';
import { findRecycled } from './statements/entries.ts';

/** Number of entries that one statement checks. */
const BATCH = 200;

function* problemsOf({ id, path, said, present, hasTop, strays }: CheckedEntry): Generator<FoundProblems> {
  if (present === 0) {
    yield {
      problems: [{ kind: 'bin-empty', address: path }],
      mend: (tx) => removeEmptyEntry(tx, id),
    };
    return;
  }
  if (said !== present)
    yield {
      problems: [{ kind: 'bin-count', address: path, detail: `${said} instead of ${present}` }],
      async mend(tx) {
        await findRecycled(tx, id, { lock: true });
        await mendCount(tx, id);
      },
    };
  if (!hasTop) yield { problems: [{ kind: 'bin-top', address: path }] };
  if (strays > 0) yield { problems: [{ kind: 'bin-strays', address: path, detail: `${strays} rows` }] };
}

/** The check of the recycle bin. */
export const binCheck: SiteCheck = {
  name: 'bin',
  kinds: {
    'bin-empty': {
      title: 'Entries of the recycle bin without content',
      advice: '--repair removes the entry, which cannot be restored.',
    },
    'bin-count': {
      title: 'Entries of the recycle bin that say another number of objects than they have',
      advice: '--repair corrects the number.',
    },
    'bin-top': {
      title: 'Entries of the recycle bin without the object that was deleted',
      advice: 'Restore what is below it by its UID (@recyclebin), or purge the entry.',
    },
    'bin-strays': {
      title: 'Entries of the recycle bin with rows of objects that they do not have',
      advice: 'They are not restored and go with the entry. Nothing has to be done.',
    },
  },
  async *find({ db }) {
    for await (const entries of loadBatches<CheckedEntry>(BATCH, (last) => checkedEntries(db, last?.id ?? '', BATCH)))
      for (const entry of entries) yield* problemsOf(entry);
  },
};
