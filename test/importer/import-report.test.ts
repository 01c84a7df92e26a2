import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createReport, type ImportProblem } from '../../src/features/import/import-report.ts';
import { summaryLines } from '../../src/features/import/import-summary.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { freshSite, linesOf, rowCounts, run } from './import-helpers.ts';
import { page, site, writeExport } from './readers/helpers.ts';

describeQuickestEngine('the report of an import', (engine) => {
  const lossy = () =>
    writeExport({
      '1.json': site('/Plone'),
      '2.json': page('/a', { subjects: { not: 'a list' }, review_state: 'unheard_of' }),
      '3.json': page('/b', { relatedItems: [{ '@id': '/gone', UID: 'gone' }], review_state: 'unheard_of' }),
    });

  it('A report has a line for each value, where the summary has one for many.', async () => {
    const { kernel } = await freshSite(engine);
    const directory = await lossy();
    const reportFile = path.join(await writeExport({}), 'report.json');
    const summary = await run(kernel, directory, { reportFile });
    const lines = await linesOf(reportFile);
    const states = lines.filter(({ reason }) => reason === 'state');
    expect(states.map(({ path: where, key }) => [where, key])).toContainEqual(['/b', 'review_state']);
    expect(states.length).toBe(summary.reasons.state);
    expect(lines).toHaveLength(Object.values(summary.reasons).reduce((sum, count) => sum + count, 0));
    expect(lines).toContainEqual({
      effect: 'lost',
      reason: 'target',
      file: null,
      path: '/b',
      key: 'relatedItems',
      message: 'Field relatedItems refers to /gone, which is not there.',
    });
    const text = summaryLines(summary);
    expect(text).toContainEqual(
      expect.stringMatching(/^ {4}1 lost: references to what is not there\. Export what they refer/),
    );
    const headings = text.filter((line) => /^ {2}(?:lost|changed|kept|added):$/.test(line)).map((line) => line.trim());
    expect(headings).toEqual(['lost:', 'changed:']);
    const report = JSON.parse(await readFile(reportFile, 'utf8'));
    expect(report).toMatchObject({ complete: true, dryRun: false, refused: false, objects: { created: 3, failed: 0 } });
    expect(report.reasons).toContainEqual({
      ...{ reason: 'target', count: 1, effect: 'lost', title: 'references to what is not there' },
      advice: expect.stringContaining('by hand'),
    });
  });

  it('The report of an import that fails is a document, which says that it is not complete.', async () => {
    const { kernel } = await freshSite(engine);
    const reportFile = path.join(await writeExport({}), 'report.json');
    const directory = await writeExport({ 'content/__metadata__.json': { _data_files_: 5 } });
    await expect(run(kernel, directory, { reportFile })).rejects.toThrow('"_data_files_" must be a list');
    expect(JSON.parse(await readFile(reportFile, 'utf8'))).toMatchObject({ complete: false });
  });

  it('A strict import changes nothing when something would be lost, and says what.', async () => {
    const { kernel } = await freshSite(engine);
    const before = await rowCounts(kernel);
    const summary = await run(kernel, await lossy(), { strict: true });
    expect(summary).toMatchObject({ refused: true, reasons: { value: 1, target: 1 } });
    expect(summaryLines(summary)[0]).toContain('nothing was changed');
    expect(await rowCounts(kernel)).toEqual(before);
  });

  it('A strict import is done when nothing is lost; changes and additions do not stop it.', async () => {
    const { kernel } = await freshSite(engine);
    const directory = await writeExport({ '1.json': page('/a', { colour: 'red', review_state: 'unheard_of' }) });
    const summary = await run(kernel, directory, { strict: true });
    expect(summary).toMatchObject({ refused: false, objects: { created: 1 } });
    expect((await rowCounts(kernel)).content).toBe(2);
  });

  it('A dry run lists the fields that types would get, and leaves the types as they are.', async () => {
    const { kernel } = await freshSite(engine);
    const directory = await writeExport({ '1.json': page('/a', { colour: 'red' }) });
    const before = await rowCounts(kernel);
    const rehearsal = await run(kernel, directory, { dryRun: true });
    expect(summaryLines(rehearsal).join('\n')).toContain('Page: colour (Text line (String))');
    expect((await kernel.sites.current()).types.get('Page')?.fieldByName.has('colour')).toBe(false);
    expect(await rowCounts(kernel)).toEqual(before);
    await run(kernel, directory);
    expect((await kernel.sites.current()).types.get('Page')?.fieldByName.get('colour')?.factory).toBe(
      'Text line (String)',
    );
  });

  it('An export with more fields than a type can have is imported, and the rest is reported.', async () => {
    const { kernel } = await freshSite(engine);
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`field_${index}`, index]));
    const summary = await run(kernel, await writeExport({ '1.json': page('/a', { ...many, 'not a name': 1 }) }));
    expect(summary.added[0]?.fields).toHaveLength(300);
    expect(summary.reasons.field).toBe(101);
  });
});

it('The problems of a summary are bounded, those of a report are not.', () => {
  const seen: ImportProblem[] = [];
  const report = createReport((problem) => seen.push(problem));
  for (let index = 0; index < 10_100; index += 1) report.add({ reason: 'value', message: `Problem ${index}` });
  report.add({ reason: 'value', message: 'Problem 1' });
  expect(seen).toHaveLength(10_100);
  expect(report.counts()).toEqual({ value: 10_100 });
  expect(report.problems()).toHaveLength(10_001);
});
