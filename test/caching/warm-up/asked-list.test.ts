import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AskedAddresses, askedAddress, keyOfAddress } from '../../../src/core/http/warm-up/asked-addresses.ts';
import { formatList, MAX_LIST_BYTES, mergeLists, parseList } from '../../../src/core/http/warm-up/asked-list.ts';
import { DAY_MS } from '../../../src/lib/time/milliseconds.ts';

const address = fc.record({
  scheme: fc.constantFrom('http', 'https'),
  host: fc.domain(),
  target: fc.webPath({ size: 'small' }),
  language: fc.option(fc.constantFrom('en', 'de', 'pt-br')),
  count: fc.integer({ min: 1, max: 1000 }),
});
const addresses = fc.array(address, { maxLength: 30 });
const sorted = (list: readonly { count: number }[]) => [...list].sort((a, b) => b.count - a.count);

describe('the list of what visitors ask for', () => {
  it('a stored list comes back as it was', () => {
    fc.assert(
      fc.property(addresses, (list) => {
        expect(parseList({ list: formatList(list), ageMs: 0 })).toEqual({ addresses: list });
      }),
    );
  });

  it('any other text is not used', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (list) => {
        expect(parseList({ list, ageMs: 0 })).toHaveProperty('problem');
      }),
    );
  });

  it('lists can be added in any order, and no request is lost', () => {
    fc.assert(
      fc.property(addresses, addresses, (one, other) => {
        const merged = mergeLists([one, other]);
        const back = mergeLists([other, one]);
        const byKey = (list: readonly (typeof merged)[number][]) =>
          new Map(list.map((a) => [keyOfAddress(a), a.count]));
        expect(byKey(merged)).toEqual(byKey(back));
        expect(merged).toEqual(sorted(merged));
        const sum = (list: readonly { count: number }[]) => list.reduce((total, { count }) => total + count, 0);
        expect(sum(merged)).toBe(sum(one) + sum(other));
      }),
    );
  });

  it('a request of yesterday counts half', () => {
    const list = formatList([{ scheme: 'https', host: 'a.example', target: '/', language: null, count: 8 }]);
    expect(parseList({ list, ageMs: 2 * DAY_MS })).toMatchObject({ addresses: [{ count: 2 }] });
  });

  it('the text is never larger than what is loaded again', () => {
    const long = Array.from({ length: 500 }, (_, i) => ({
      ...{ scheme: 'https', host: 'a.example', language: null, count: 500 - i },
      target: `/${i}${'%20'.repeat(300)}`,
    }));
    const list = formatList(long);
    expect(Buffer.byteLength(list)).toBeLessThanOrEqual(MAX_LIST_BYTES);
    const parsed = parseList({ list, ageMs: 0 });
    if (!('addresses' in parsed)) throw new Error(parsed.problem);
    expect(parsed.addresses).toEqual(long.slice(0, parsed.addresses.length));
    expect(parsed.addresses.length).toBeGreaterThan(200);
  });
});

describe('counts of what visitors ask for', () => {
  const at = (target: string) => ({ scheme: 'https', host: 'a.example', target, language: null });

  it('made up addresses do not displace what is asked for again and again', () => {
    const asked = new AskedAddresses();
    for (let i = 0; i < 20_000; i += 1) {
      asked.count(at(`/made-up-${i}`));
      if (i % 500 === 0) asked.count(at('/popular'));
    }
    expect(asked.size).toBeLessThanOrEqual(2000);
    const counted = asked.take();
    expect(counted.find(({ target }) => target === '/popular')?.count).toBe(40);
    expect(asked.size).toBe(0);
  });

  it('a long address and one with the words of a search are not counted', () => {
    expect(askedAddress('https://a.example', `/${'a'.repeat(1000)}`, null)).toBeUndefined();
    expect(askedAddress('https://a.example', '/@search?SearchableText=me', null)).toBeUndefined();
    expect(
      askedAddress('https://a.example', '/@querystring-search?query=%7B%22i%22:%22%53earchableText', null),
    ).toBeUndefined();
    expect(askedAddress('https://a.example:8443/Plone', '/Plone/a', 'en')).toEqual({
      ...{ scheme: 'https', host: 'a.example:8443', target: '/Plone/a', language: 'en' },
    });
  });
});
