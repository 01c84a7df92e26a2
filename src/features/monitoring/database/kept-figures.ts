import type { Kernel } from '../../../site/kernel.ts';
import { type ContentFigures, contentFigures } from '../../../storage/statements/figures-content.ts';

/** Milliseconds for which the figures are kept: counting reads all content. */
const KEPT = 60_000;

const counted = new WeakMap<Kernel, { at: number; figures: Promise<ContentFigures> }>();

/** The figures of the content, counted at most once a minute by each process, however many ask. */
export function keptFigures(kernel: Kernel, now = Date.now()): Promise<ContentFigures> {
  const known = counted.get(kernel);
  if (known && now - known.at < KEPT) return known.figures;
  const figures = contentFigures(kernel.db);
  counted.set(kernel, { at: now, figures });
  // Whoever waits gets the failure; whoever comes next counts again.
  figures.catch(() => counted.delete(kernel));
  return figures;
}
