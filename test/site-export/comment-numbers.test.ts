import { expect, it } from 'vitest';
import { commentNumbers } from '../../src/features/site-export/plone/comments.ts';

const place = (id: string, microsecond: string, more: { in_reply_to?: string; published?: boolean } = {}) => ({
  ...{ id, microsecond, in_reply_to: null, published: true },
  ...more,
});

it('comments of one microsecond, or with the number of another one, still have numbers of their own', () => {
  const numbers = commentNumbers([
    place('a', '1700000000000001'),
    place('b', '1700000000000001'),
    place('1700000000000002', '1'),
    place('1700000000000002-0badcafe', '1700000000000002'),
    place('old', '-5'),
    place('0', '1700000000000009'),
  ]);
  expect([...numbers.values()].sort()).toEqual([...new Set(numbers.values())].sort());
  expect(Object.fromEntries(numbers)).toEqual({
    a: '1700000000000001',
    b: '1700000000000003',
    '1700000000000002': '1700000000000002',
    '1700000000000002-0badcafe': '1700000000000004',
    old: '1',
    '0': '1700000000000009',
  });
});

it('replies to a comment that waits for review stay out with it, at any depth', () => {
  const numbers = commentNumbers([
    place('deep', '4', { in_reply_to: 'answer' }),
    place('answer', '2', { in_reply_to: 'waits' }),
    place('waits', '1', { published: false }),
    place('shown', '3'),
    place('circle', '5', { in_reply_to: 'circle' }),
  ]);
  expect([...numbers.keys()]).toEqual(['shown', 'circle']);
});
