import type * as cliProgress from 'cli-progress';
import { lazyPackage } from './lazy-package.ts';

const bars = lazyPackage<typeof cliProgress>('cli-progress');

/** The stream that shows progress: `process.stderr`, or another stream. Only a terminal gets a moving bar. */
export type ProgressStream = NodeJS.WritableStream & { isTTY?: boolean };

export interface Progress {
  /** Reports that `count` further steps are done (1 unless given); `label` names the present work. */
  tick(count?: number, label?: string): void;
  /** Shows the final state. To be called once, also after a failure. */
  done(): void;
}

/** Progress that is not shown. */
export const noProgress: Progress = { tick() {}, done() {} };

/** Minimum progress in percent for a line: a log should show that a long step is alive, but not be flooded. */
const MIN_PERCENT = 10;
const MAX_SILENCE_MS = 5_000;

/**
 * Shows the progress of long work: a bar on a terminal; in a log or a pipe a line each time that another 10 % are done or 5 seconds have passed.
 * @param total number of ticks that are expected; 0 when unknown
 */
export function progress(total: number, title: string, stream: ProgressStream = process.stderr): Progress {
  return stream.isTTY ? barProgress(total, title, stream) : lineProgress(total, title, stream);
}

function barProgress(total: number, title: string, stream: ProgressStream): Progress {
  const { Presets, SingleBar } = bars();
  const bar = new SingleBar(
    { stream, format: '{title} {bar} {percentage}% {value}/{total} {label}', hideCursor: true },
    Presets.shades_classic,
  );
  bar.start(total, 0, { title, label: '' });
  return {
    tick: (count = 1, label = '') => bar.increment(count, { label }),
    done: () => {
      bar.update({ label: '' });
      bar.stop();
    },
  };
}

function lineProgress(total: number, title: string, stream: ProgressStream): Progress {
  let value = 0;
  let written = -1;
  let nextPercent = MIN_PERCENT;
  let lastTime = Date.now();
  const write = (label: string): void => {
    const share = total > 0 ? ` (${Math.floor(percent())} %)` : '';
    stream.write(`${title}: ${value}${total > 0 ? `/${total}` : ''}${share}${label && ` ${label}`}\n`);
    written = value;
    lastTime = Date.now();
    nextPercent = (Math.floor(percent() / MIN_PERCENT) + 1) * MIN_PERCENT;
  };
  const percent = (): number => (total > 0 ? (value / total) * 100 : 0);
  return {
    tick: (count = 1, label = '') => {
      value += count;
      if ((total > 0 && percent() >= nextPercent) || Date.now() - lastTime >= MAX_SILENCE_MS) write(label);
    },
    done: () => {
      if (written !== value) write('');
    },
  };
}
