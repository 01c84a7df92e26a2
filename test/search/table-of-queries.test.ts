import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobWorker } from '../../src/features/jobs/worker.ts';
import { startWorker } from '../jobs/job-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { docxFile, odtFile, pdfFile, pptxFile, xlsxFile } from '../support/document-files.ts';
import { PAGE } from '../support/profiles.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { addFields, integerField, textField } from './declare.ts';
import { make, pathOf, slate, transition } from './make.ts';

/** A row of the table in docs/search.md: the query, and the ids of the content that it finds. */
type Row = { query: string; finds: string };

/** The table of the section "Queries and what they find". */
function rows(): Row[] {
  const text = readFileSync(new URL('../../docs/search.md', import.meta.url), 'utf8');
  const section = /^## Queries and what they find$([\s\S]*?)^## /m.exec(text)?.[1] ?? '';
  return [...section.matchAll(/^\| `([^`]*)` \| (.*?) \|$/gm)].map(([, query = '', finds = '']) => ({ query, finds }));
}

const TABLE = rows();
/** The texts of files are extracted by a process that runs the built program. */
const built = existsSync(fileURLToPath(new URL('../../dist/bundle/core/files/text/child.js', import.meta.url)));

const file = (bytes: Uint8Array, filename: string, type = 'application/octet-stream') => ({
  file: { data: Buffer.from(bytes).toString('base64'), encoding: 'base64', filename, 'content-type': type },
});
const block = (value: Record<string, unknown>) => ({ blocks: { b: value }, blocks_layout: { items: ['b'] } });

const CONTENT: Record<string, Record<string, unknown>> = {
  council: { title: 'The council meets at the café', ...slate('Decisions about the running costs of the harbour') },
  harbour: { title: 'Harbour', description: 'Boats and ferries' },
  swedish: { title: 'Göteborg och Malmö', subjects: ['Sweden'] },
  german: { title: 'Übergröße der Straße', description: 'Ein naïves Œuvre' },
  chinese: { title: '全文搜索引擎' },
  japanese: { title: '日本語の文書' },
  korean: { title: '한국어문서' },
  russian: { title: 'Городской совет Москвы' },
  greek: { title: 'Δημοτικό Συμβούλιο' },
  hebrew: { title: 'ישיבת המועצה' },
  arabic: { title: 'مجلس المدينة' },
  html: { title: 'Markup', ...block({ '@type': 'html', html: '<p>lighthouse</p><img src="x.png" alt="windmill">' }) },
  picture: { title: 'Gallery', ...block({ '@type': 'image', url: 'https://example.org/a.png', alt: 'kingfisher' }) },
  feast: {
    ...{ '@type': 'Event', title: 'Feast', location: 'Kungsträdgården' },
    ...{ start: '2030-05-01T10:00:00Z', end: '2030-05-01T11:00:00Z' },
  },
  own: { title: 'Own fields', motto: 'perseverance', colour: 'turquoise', rating: 7 },
  pdf: { '@type': 'File', title: 'A', ...file(pdfFile('Budget of the aqueduct'), 'a.pdf', 'application/pdf') },
  docx: { '@type': 'File', title: 'B', ...file(docxFile(['minutes of the orchestra']), 'b.docx') },
  xlsx: { '@type': 'File', title: 'C', ...file(xlsxFile('inventory', '表計算'), 'c.xlsx') },
  pptx: { '@type': 'File', title: 'D', ...file(pptxFile('telescope', 'second slide'), 'd.pptx') },
  odt: { '@type': 'File', title: 'E', ...file(odtFile('observatory'), 'e.odt') },
  page: { '@type': 'File', title: 'F', ...file(Buffer.from('<p>greenhouse</p>'), 'f.html', 'text/html') },
  plain: { '@type': 'File', title: 'G', ...file(Buffer.from('blacksmith'), 'annual_report-2031.txt', 'text/plain') },
};

describeEachEngine('the table of queries in the documentation', (engine) => {
  const site = useTestSite(engine);
  let worker: JobWorker;
  beforeAll(async () => {
    worker = await startWorker(site.kernel);
    await addFields(site.kernel, PAGE, {
      motto: textField(),
      colour: textField({ index: 'field' }),
      rating: integerField({ index: 'number' }),
    });
    for (const [id, data] of Object.entries(CONTENT)) {
      const path = await make(site, '/', { '@type': PAGE, id, ...data });
      if (data['@type'] !== 'File') await transition(site, path, 'publish');
    }
    await make(site, '/', { '@type': PAGE, id: 'secret', title: 'Secret plans for the harbour' });
    const waiting = async () =>
      (
        await site.kernel.db.query<{ n: number }>({
          text: `select count(*)::int as n from file_text where state = 'waiting'`,
        })
      )[0]?.n;
    while (built && (await waiting()) !== 0) await sleep(200);
  }, 150_000);
  afterAll(() => worker?.close());

  /** A response in the form of the table: the ids, then what the response has beside the results. */
  function told(body: Json): string {
    const ids = body.items.map((item: Json) => pathOf(site, item['@id']).slice(1));
    const facets = Object.entries<Json[]>(body.facets ?? {}).map(
      ([name, values]) => `${name}: ${values.map(({ value, count }) => `${value} ${count}`).join(', ')}`,
    );
    const marks = body.items.flatMap((item: Json) => Object.values(item.highlighting ?? {}).flat());
    const more = [...facets, ...marks, ...(body.words ? [`words: ${body.words.join(', ')}`] : [])];
    if (body.did_you_mean) more.push(`did you mean: ${body.did_you_mean}`);
    return [ids.length > 0 ? ids.join(', ') : 'nothing', ...more].join('; ');
  }

  it('the table has at least forty queries', () => {
    expect(TABLE.length).toBeGreaterThanOrEqual(40);
  });

  it.runIf(built).each(TABLE)('$query finds what the documentation says', async ({ query, finds }) => {
    const visitor = query.endsWith(' (visitor)');
    const [path = '', parameters = ''] = query.replace(/ \(visitor\)$/, '').split('?');
    const encoded = parameters
      .split('&')
      .map((pair) => {
        const at = pair.indexOf('=');
        return `${pair.slice(0, at)}=${encodeURIComponent(pair.slice(at + 1))}`;
      })
      .join('&');
    const response = await site.request('GET', `/${path}?${encoded}`, { as: visitor ? 'anonymous' : 'admin' });
    expect(response.status).toBe(200);
    expect(told(response.body)).toBe(finds.replace('portal_type: Page', `portal_type: ${PAGE}`));
  });
});
