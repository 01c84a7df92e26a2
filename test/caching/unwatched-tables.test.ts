import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnwatchedTables } from '../../src/core/cache/unwatched-tables.ts';

const namedBy = (tables: UnwatchedTables, text: string) => tables.namedBy({ text });

describe('tables whose changes nothing notes', () => {
  it.each([
    'select * from job',
    'select 1 from content join job on true',
    'select * from "job" where id = $1',
    'select * from public.job',
    'with some as (select * from job) select * from some',
    'select count(*) from job;',
    'job',
  ])('a table is found in %s', (text) => {
    expect(namedBy(new UnwatchedTables(['job', 'lock']), text)).toEqual(['job']);
  });

  it.each([
    'select * from content',
    'select * from scheduled_job',
    'select jobs from content',
    'select object from content where job1 = $1',
    '',
  ])('no table is found in %s', (text) => {
    expect(namedBy(new UnwatchedTables(['job', 'lock']), text)).toEqual([]);
  });

  it('a table that is added later is found in a text that was looked at before', () => {
    const tables = new UnwatchedTables([]);
    expect(namedBy(tables, 'select * from note')).toEqual([]);
    tables.add(['note']);
    expect(namedBy(tables, 'select * from note')).toEqual(['note']);
    expect(tables.has('note')).toBe(true);
  });

  it('a name is found exactly where it stands as a whole word', () => {
    const texts = fc.array(fc.constantFrom('ab', 'b', 'ab_b', '_', ' ', '"', '.', '\n', '1', 'é'), { maxLength: 12 });
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('');
        const expected = ['ab', 'ab_b'].filter((name) => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text));
        expect(namedBy(new UnwatchedTables(['ab', 'ab_b']), text)).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
