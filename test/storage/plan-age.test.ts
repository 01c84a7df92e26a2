import { expect, it } from 'vitest';
import { PlanAge } from '../../src/database/plan-age.ts';

it('a connection plans anew when the transactions have doubled, and not before', () => {
  const age = new PlanAge();
  const connection = {};
  const anew: number[] = [];
  for (let transaction = 1; transaction <= 1000; transaction += 1) if (age.isTooOld(connection)) anew.push(transaction);
  expect(anew).toEqual([52, 154, 358, 766]);
});

it('transactions of other connections count, and a new connection has no plans', () => {
  const age = new PlanAge();
  const [idle, busy] = [{}, {}];
  expect(age.isTooOld(idle)).toBe(false);
  for (let transaction = 1; transaction <= 500; transaction += 1) age.isTooOld(busy);
  expect(age.isTooOld(idle)).toBe(true);
  expect(age.isTooOld(idle)).toBe(false);
  expect(age.isTooOld({})).toBe(false);
});
