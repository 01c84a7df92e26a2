import { expect, test } from 'vitest';
import { afterStart, holdFirstWork } from '../../src/lib/process/first-work.ts';

const ours = {};

test('work begins at once when none is held', () => {
  const begun: string[] = [];
  afterStart(ours, () => begun.push('look'));
  expect(begun).toEqual(['look']);
});

test('held work begins in its order when the start is over, and later work at once', () => {
  const begun: string[] = [];
  const begin = holdFirstWork(ours);
  afterStart(ours, () => begun.push('mails'));
  afterStart(ours, () => begun.push('jobs'));
  afterStart({}, () => begun.push('of another site'));
  expect(begun).toEqual(['of another site']);
  begin();
  expect(begun).toEqual(['of another site', 'mails', 'jobs']);
  afterStart(ours, () => begun.push('webhooks'));
  begin();
  expect(begun).toEqual(['of another site', 'mails', 'jobs', 'webhooks']);
});
