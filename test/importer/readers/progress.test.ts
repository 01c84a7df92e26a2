import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { progress } from '../../../src/lib/process/progress.ts';

function sink(): { stream: Writable; lines: () => string[] } {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream, lines: () => text.split('\n').filter((line) => line !== '') };
}

describe('progress outside of a terminal', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('progress outside of a terminal is a line for each 10 %, and the last line comes once', () => {
    const { stream, lines } = sink();
    const bar = progress(1000, 'Objects', stream);
    for (let i = 0; i < 1000; i += 1) bar.tick();
    bar.done();
    expect(lines()).toHaveLength(10);
    expect(lines()[0]).toBe('Objects: 100/1000 (10 %)');
    expect(lines().at(-1)).toBe('Objects: 1000/1000 (100 %)');
  });

  it('progress outside of a terminal is a line every 5 seconds, also without a known total', () => {
    const { stream, lines } = sink();
    const bar = progress(0, 'Files', stream);
    bar.tick(3);
    expect(lines()).toEqual([]);
    vi.advanceTimersByTime(5_000);
    bar.tick(1, 'photo.png');
    expect(lines()).toEqual(['Files: 4 photo.png']);
    bar.tick();
    bar.done();
    expect(lines().at(-1)).toBe('Files: 5');
  });
});

describe('progress on a terminal', () => {
  it('progress on a terminal is a bar that ends at the last value', () => {
    const { stream, lines } = sink();
    const bar = progress(2, 'Objects', Object.assign(stream, { isTTY: true, columns: 80 }));
    bar.tick();
    bar.tick(1, 'last');
    bar.done();
    expect(lines().join('')).toContain('100% 2/2');
  });
});
