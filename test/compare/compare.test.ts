import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { acceptance, documentOf, loadAccepted } from '../../compare/accepted.mjs';
import { differencesOf } from '../../compare/differences.mjs';
import { normalise } from '../../compare/normalise.mjs';
import { fill, loadSteps } from '../../compare/steps.mjs';

const answer = (body: unknown, status = 200) => ({ status, headers: {}, body });

describe('The comparison with Plone', () => {
  it('the comparison names each place where two responses differ', () => {
    const plone = { title: 'A', items: [{ '@id': '/a', size: 1 }, { '@id': '/b' }], tags: ['x', 'y'] };
    const canopy = { title: 'B', items: [{ '@id': '/a', size: 2 }, { '@id': '/c' }], tags: ['y', 'x'], more: null };
    const found = differencesOf(answer(plone), answer(canopy)).map(({ kind, at }) => `${kind} ${at}`);
    expect(found).toEqual([
      'value title',
      'value items[/a].size',
      'missing items[/b]',
      'more items[/c]',
      'order tags[]',
      'more more',
    ]);
  });

  it('the comparison compares nothing else when the statuses differ', () => {
    const found = differencesOf(answer({ a: 1 }), answer({ b: 1 }, 404));
    expect(found).toMatchObject([{ kind: 'value', at: 'status', plone: 200, canopy: 404 }]);
  });

  it('the comparison identifies relations by their two ends', () => {
    const relation = (source: string, target: string, title = '') => ({
      source: { '@id': source },
      target: { '@id': target, title },
    });
    const plone = [relation('/a', '/b'), relation('/a', '/c')];
    const canopy = [relation('/a', '/c', 'C'), relation('/a', '/b')];
    const found = differencesOf(answer({ items: plone }), answer({ items: canopy })).map(
      ({ kind, at }) => `${kind} ${at}`,
    );
    expect(found).toEqual(['value items[/a /c].target.title', 'order items[]']);
  });

  it('the comparison removes addresses, identifiers, tokens and present times from responses', () => {
    const base = 'http://site.example';
    const now = new Date().toISOString();
    const uid = '0123456789abcdef0123456789abcdef';
    const body = { '@id': `${base}/page`, UID: uid, modified: now, start: '2024-01-02T03:04:05+00:00' };
    expect(normalise(body, base)).toEqual({
      '@id': 'BASE/page',
      UID: '<uid>',
      modified: '0000-00-00T00:00:00.000Z',
      start: '2024-01-02T03:04:05+00:00',
    });
  });

  it('the comparison accepts a difference only in the requests, at the place and of the kind that an entry names', () => {
    const entry = { what: 'x', requests: 'GET /@types*', at: 'properties.*.title', kind: 'value', reason: 'y' };
    const { accepts, unused } = acceptance([{ title: 't', differences: [entry] }]);
    const step = { as: 'Manager', method: 'GET', path: '/@types/Document' };
    const difference = { kind: 'value', at: 'properties.id.title', plone: 'a', canopy: 'b' };
    expect(unused()).toEqual([{ what: 'x', patterns: ['GET /@types*', 'properties.*.title'] }]);
    expect(accepts(step, { ...difference, kind: 'missing' })).toBe(false);
    expect(accepts(step, { ...difference, at: 'properties.id' })).toBe(false);
    expect(accepts({ ...step, path: '/page' }, difference)).toBe(false);
    expect(accepts(step, difference)).toBe(true);
    expect(unused()).toEqual([]);
  });

  it('the comparison has hundreds of requests, by callers with different rights', () => {
    const steps = loadSteps();
    expect(steps.length).toBeGreaterThan(500);
    expect(new Set(steps.map(({ as }) => as))).toEqual(new Set(['Manager', 'Editor', 'Member', 'Anonymous']));
  });

  it('the comparison puts values of earlier responses into later requests', () => {
    const kept = new Map([['page', 'u1']]);
    expect(fill({ path: '/resolveuid/{{page}}', body: [{ a: '{{page}}' }] }, kept)).toEqual({
      path: '/resolveuid/u1',
      body: [{ a: 'u1' }],
    });
  });

  it('the documentation describes the accepted differences', () => {
    expect(readFileSync('docs/differences-from-plone.md', 'utf8')).toBe(documentOf(loadAccepted()));
  });
});
