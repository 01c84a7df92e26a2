import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ObservedSite, startObservedSite } from './observed-site.ts';

/** Names of metrics in an expression, without the suffixes of histograms. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:canopy|nodejs|process)_[a-z_]+/g)].map(([name]) =>
    name.replace(/_(?:bucket|sum|count)$/, ''),
  );

const file = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

type Panel = { title: string; targets: { expr: string }[]; gridPos: { x: number; y: number } };

describe('the dashboard and the alerts', () => {
  let site: ObservedSite;
  /** The metrics of a process: their names, with the labels that each has. */
  const labels = new Map<string, Set<string>>();
  beforeAll(async () => {
    site = await startObservedSite({ METRICS_PORT: '0' });
    await site.request('GET', '/');
    const page = await (await fetch(site.metricsAddress())).text();
    for (const [, name = ''] of page.matchAll(/^# TYPE (\w+) /gm)) labels.set(name, new Set());
    for (const [, name = '', pairs = ''] of page.matchAll(/^(\w+)\{(.*)\} /gm))
      for (const [, label = ''] of pairs.matchAll(/(\w+)="/g))
        labels.get(name.replace(/_(?:bucket|sum|count)$/, ''))?.add(label);
  });
  afterAll(() => site.close());

  it('the dashboard asks for existing metrics, and for each of them', () => {
    const { panels }: { panels: Panel[] } = JSON.parse(file('ops/grafana-dashboard.json'));
    const asked = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr))));
    expect([...asked].filter((name) => !labels.has(name))).toEqual([]);
    expect([...labels.keys()].filter((name) => !asked.has(name))).toEqual([]);
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
  });

  it('the dashboard groups by labels that its metrics have', () => {
    const { panels }: { panels: Panel[] } = JSON.parse(file('ops/grafana-dashboard.json'));
    for (const { title, targets } of panels.filter(({ title }) => !title.startsWith('Replicas')))
      for (const { expr } of targets) {
        const known = new Set(['instance', ...namesIn(expr).flatMap((name) => [...(labels.get(name) ?? [])])]);
        for (const [, by = ''] of expr.matchAll(/ by \(([^)]*)\)/g))
          for (const label of by.split(', ')) expect(known, `${title}: ${label}`).toContain(label);
      }
  });

  it('the page about monitoring describes each metric, and its alerts ask for existing metrics', () => {
    const page = file('docs/monitoring.md');
    const described = new Set(namesIn(page));
    expect([...labels.keys()].filter((name) => !described.has(name))).toEqual([]);
    const known = [...labels.keys()];
    expect([...described].filter((name) => !known.includes(name))).toEqual([]);
  });
});
