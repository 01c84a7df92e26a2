import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { ExportRefused } from '../format.ts';

/** Archives that unpack to no more than this are not suspicious, whatever their own size is: 1 GiB. */
const MAX_UNSUSPICIOUS_BYTES = 1024 ** 3;

/** How many times its own size an archive may unpack to: exports of nothing but JSON have some 20. */
const MAX_RATIO = 100;

/** Maximum number of files of an archive; an export has a file for each object, and for each file of an object. */
const MAX_FILES = 5_000_000;

/** Bytes of the disk that must stay free for other programs: 256 MiB. */
const SPARE_BYTES = 256 * 1024 ** 2;

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** An archive with its size in bytes, and the sizes of its files so far. */
export type Measured = { file: string; size: number; total: number; files: number };

/** Throws ExportRefused when the files of an archive are suspicious for its size. */
export function checkMeasure({ file, size, total, files }: Measured): void {
  if (files > MAX_FILES) throw new ExportRefused(`${file} has more than ${MAX_FILES} files.`);
  if (total > MAX_UNSUSPICIOUS_BYTES && total > size * MAX_RATIO)
    throw new ExportRefused(
      `${file} would become ${gigabytes(total)}, more than ${MAX_RATIO} times its size. If it is what you expect, unpack it yourself and import the folder.`,
    );
}

/** Throws ExportRefused when the disk of a folder has no room for so many further bytes. */
export async function checkRoom(file: string, folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (bytes + SPARE_BYTES > free)
    throw new ExportRefused(
      `${file} needs ${gigabytes(bytes)} in ${tmpdir()}, where ${gigabytes(free)} are free. Name another folder with TMPDIR, or unpack it yourself and import the folder.`,
    );
}
