import { expect, it } from 'vitest';
import { Ledger, titleOf } from '../../bench/day/ledger.mjs';

const SITE = 'http://site.example/Plone';
const bodyOf = (value: unknown) => ({ status: 200, body: Buffer.from(JSON.stringify(value)) });
const pageAt = (path: string, title: string) => ({ '@id': `${SITE}${path}`, title });
const search = { path: '/@search', kind: 'search' };
/** A moment after everything that was noted so far. */
const later = (ms = 1) => performance.now() + ms;
const first = () => 0;

it('A list that shows an older title than the acknowledged one is stale.', () => {
  const ledger = new Ledger('/Plone');
  const old = ledger.next();
  ledger.acknowledge('/news', old);
  ledger.acknowledge('/news', ledger.next());
  ledger.check(search, bodyOf({ items: [pageAt('/news', titleOf(old)), pageAt('/other', 'Other')] }), later());
  expect(ledger.compared).toBe(1);
  expect(ledger.stale).toMatchObject([{ request: '/@search', path: '/news', shown: 1, wanted: 2 }]);
});

it('A response may show an edit that was acknowledged after its request was sent, or not.', () => {
  const ledger = new Ledger('/Plone');
  const sentAt = performance.now() - 1;
  const number = ledger.next();
  ledger.acknowledge('/news', number);
  ledger.check(search, bodyOf(pageAt('/news', 'As it was')), sentAt);
  ledger.check(search, bodyOf(pageAt('/news', titleOf(number))), sentAt);
  expect(ledger.stale).toEqual([]);
});

it('A page without its first edit is stale.', () => {
  const ledger = new Ledger('/Plone');
  ledger.acknowledge('/news', ledger.next());
  ledger.check(search, bodyOf(pageAt('/news', 'As it was')), later());
  expect(ledger.stale).toHaveLength(1);
});

it('Behind a cache that gets notices a response may be old for the time that it has.', () => {
  const ledger = new Ledger('/Plone');
  ledger.allowedMs = 5000;
  ledger.acknowledge('/news', ledger.next());
  ledger.check(search, bodyOf(pageAt('/news', 'As it was')), later(4000));
  expect([ledger.stale.length, ledger.late]).toEqual([0, 1]);
  ledger.check(search, bodyOf(pageAt('/news', 'As it was')), later(6000));
  expect([ledger.stale.length, ledger.late]).toEqual([1, 1]);
  expect(ledger.latestMs).toBeGreaterThan(5000);
});

it('A page is stale at the address that it has left, and missing at its new one.', () => {
  const ledger = new Ledger('');
  const ask = (status: number, sentAt: number) =>
    ledger.check({ path: '/a/page', kind: 'news', expected: ledger.news(first) }, { ...bodyOf({}), status }, sentAt);
  ledger.settle('/a/page', false);
  ask(301, later());
  ask(404, later());
  expect(ledger.stale).toEqual([]);
  ask(200, later());
  expect(ledger.stale).toHaveLength(1);
  ledger.settle('/a/page', true);
  ask(200, later());
  expect(ledger.stale).toHaveLength(1);
  ask(404, later());
  expect(ledger.stale).toHaveLength(2);
});

it('While an address changes any response may be right.', () => {
  const ledger = new Ledger('');
  ledger.settle('/a/page', true);
  const expected = ledger.news(first);
  ledger.unsettle('/a/page');
  ledger.check({ path: '/a/page', kind: 'news', expected }, { ...bodyOf({}), status: 404 }, later());
  expect([ledger.compared, ledger.stale.length]).toEqual([0, 0]);
  expect(ledger.news(first)).toBeUndefined();
});
