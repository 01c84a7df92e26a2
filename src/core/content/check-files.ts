import type { ListedBlob } from '../files/blobs/blob-store.ts';
import { type DescribedFile, filesInBlocks, jsonTables } from '../files/statements/blobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { FoundProblems, SiteCheck, SiteProblem } from '../kernel/site-check.ts';
import { GRACE_MS, older, withUse } from './collect-blobs.ts';

/** Number of blocks of a table that one statement reads. */
const BLOCKS = 256;
/** Maximum number of concurrent requests to the store. */
const MAX_ASKED = 16;

/** The problem of a file that a row describes; undefined for one that is in the store. */
async function fileProblem({ blobs }: Kernel, file: DescribedFile): Promise<SiteProblem | undefined> {
  const { address, hash, filename, size } = file;
  const stored = await blobs.size(hash);
  if (stored === undefined) return { kind: 'file-missing', address, detail: `${filename}, ${hash}` };
  if (size === null || stored === size) return undefined;
  return { kind: 'file-size', address, detail: `${filename}, ${hash}: ${stored} bytes instead of ${size}` };
}

/** Finds the files that rows describe and that are missing or different in the store. */
async function* describedFiles(kernel: Kernel): AsyncGenerator<FoundProblems> {
  for (const table of await jsonTables(kernel.db)) {
    for (let from = 0; from < table.blocks; from += BLOCKS) {
      const files = await filesInBlocks(kernel.db, table, { from, to: from + BLOCKS });
      for (let at = 0; at < files.length; at += MAX_ASKED) {
        const asked = files.slice(at, at + MAX_ASKED).map((file) => fileProblem(kernel, file));
        const problems = (await Promise.all(asked)).filter((problem) => problem !== undefined);
        if (problems.length > 0) yield { problems };
      }
    }
  }
}

const problemsOf = (kind: string, blobs: readonly ListedBlob[]): SiteProblem[] =>
  blobs.map(({ hash, size }) => ({ kind, address: hash, detail: `${size} bytes` }));

/** Finds blobs that are set aside although something refers to them, and blobs in use to which nothing refers. */
async function* listedBlobs(kernel: Kernel): AsyncGenerator<FoundProblems> {
  const { blobs } = kernel;
  const before = new Date(Date.now() - GRACE_MS);
  for await (const { batch, used } of withUse(kernel, blobs.listAside())) {
    const wanted = batch.filter(({ hash }) => used.has(hash));
    const mend = async () => {
      for (const { hash } of wanted) await blobs.takeBack(hash);
    };
    if (wanted.length > 0) yield { problems: problemsOf('file-aside', wanted), mend };
  }
  for await (const { batch, used } of withUse(kernel, older(blobs.list(), before))) {
    const orphans = batch.filter(({ hash }) => !used.has(hash));
    const mend = async () => {
      for (const { hash } of orphans) await blobs.setAside(hash, before);
    };
    if (orphans.length > 0) yield { problems: problemsOf('file-orphaned', orphans), mend };
  }
}

/** The check of the files against the database. */
export const filesCheck: SiteCheck = {
  name: 'files',
  kinds: {
    'file-missing': {
      title: 'Files that the store does not have',
      advice: 'Bring the file back from a backup of the store, or upload it again.',
    },
    'file-size': {
      title: 'Files that are not whole in the store',
      advice: 'Bring the file back from a backup of the store, or upload it again.',
    },
    'file-aside': {
      title: 'Files in use that are set aside',
      advice: '--repair puts them back, and so does canopy collect-blobs.',
    },
    'file-orphaned': {
      title: 'Files that nothing refers to, stored more than a day ago',
      advice: '--repair sets them aside; canopy collect-blobs removes them a day later.',
    },
  },
  async *find(kernel) {
    yield* describedFiles(kernel);
    yield* listedBlobs(kernel);
  },
};
