import {
  EXTRACT_TEXTS,
  endFile,
  objectsWithFile,
  saveFileText,
  takeFile,
  waitingFiles,
} from '../files/statements/file-texts.ts';
import { extractText } from '../files/text/extract.ts';
import type { JobAction, Kernel } from '../kernel/kernel.ts';
import { fileWords } from '../search/indexed-words.ts';
import { reindexIn } from './reindex-site.ts';

/** Objects with one file that are indexed in one transaction. */
const BATCH = 100;

/** Indexes all objects that have a file with the text of the file. */
async function index(kernel: Kernel, hash: string): Promise<void> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const from: number = after;
    after = await kernel.db.transaction(async (tx) => {
      const objects = await objectsWithFile(tx, hash, { after: from, limit: BATCH });
      if (objects.length > 0) await reindexIn(kernel, tx, objects);
      return objects.length < BATCH ? undefined : objects.at(-1)?.oid;
    });
  }
}

/**
 * Extracts the texts of new files, one after the other, each in a process of its own. An unreadable file is logged and not tried again; a file is
 * tried three times if the server ends during its extraction.
 */
export const extractTexts: JobAction = {
  name: EXTRACT_TEXTS,
  title: 'Extract texts of files',
  description: 'Reads the texts of new files, so that searches find them.',
  schema: { fieldsets: [{ id: 'default', title: 'Default', fields: [] }], properties: {}, required: [] },
  exclusive: true,
  run: async ({ kernel, signal, progress }) => {
    let files = 0;
    let unread = 0;
    for (;;) {
      signal.throwIfAborted();
      const file = await takeFile(kernel.db);
      if (!file) return { files, unread };
      const extracted = await extractText(kernel.blobs, file, { signal });
      if ('reason' in extracted) {
        unread += 1;
        await endFile(kernel.db, file.hash, extracted.reason);
        kernel.log.warn(
          { hash: file.hash, format: file.format, reason: extracted.reason },
          'a file has no text that can be read',
        );
      }
      if ('text' in extracted) {
        await saveFileText(kernel.db, file.hash, { text: extracted.text, ...fileWords(extracted.text) });
        await index(kernel, file.hash);
        await endFile(kernel.db, file.hash, null);
      }
      files += 1;
      progress(files, files + (await waitingFiles(kernel.db)));
    }
  },
};
