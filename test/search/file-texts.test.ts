import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reindexSite } from '../../src/core/content/reindex-site.ts';
import { extractText } from '../../src/core/files/text/extract.ts';
import { fileWords } from '../../src/core/search/indexed-words.ts';
import type { JobWorker } from '../../src/features/jobs/worker.ts';
import { startWorker } from '../jobs/job-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { docxFile, odtFile, pdfFile, pptxFile, xlsxFile, zipBomb } from '../support/document-files.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { make, search, transition } from './make.ts';

/** The texts of files are extracted by a process that runs the built program; CI builds first. */
const built = existsSync(fileURLToPath(new URL('../../dist/bundle/core/files/text/child.js', import.meta.url)));

describeEachEngine('the texts of files', (engine) => {
  let site: TestSite;
  let worker: JobWorker;
  beforeAll(async () => {
    site = await startTestSite(engine);
    worker = await startWorker(site.kernel);
  });
  afterAll(async () => {
    await worker?.close();
    await site?.close();
  });

  const found = async (words: string, as: 'admin' | 'anonymous' = 'admin') =>
    (await search(site, '/', `SearchableText=${encodeURIComponent(words)}&sort_on=path`, as)).paths;
  const file = (bytes: Uint8Array, filename: string, type = 'application/octet-stream') => ({
    data: Buffer.from(bytes).toString('base64'),
    encoding: 'base64',
    filename,
    'content-type': type,
  });
  const upload = (id: string, bytes: Uint8Array, filename: string, type?: string) =>
    make(site, '/', { '@type': 'File', id, title: id, file: file(bytes, filename, type) });
  const read = async () => {
    await expect
      .poll(
        async () =>
          (
            await site.kernel.db.query<{ n: number }>({
              text: "select count(*)::int as n from file_text where state = 'waiting'",
            })
          )[0]?.n,
        { timeout: 50_000, interval: 200 },
      )
      .toBe(0);
  };

  it.runIf(built)('seven kinds of files are found by their texts, soon after they came', async () => {
    await upload('pdf', pdfFile('Budget of the pdfword, caf\\351'), 'a.pdf', 'application/pdf');
    await upload('docx', docxFile(['docx', 'word &amp; more'], ['paragraph']), 'a.docx');
    await upload('xlsx', xlsxFile('xlsxword', '表計算'), 'a.xlsx');
    await upload('pptx', pptxFile('pptxword', 'second slide'), 'a.pptx');
    await upload('odt', odtFile('odt<text:span>word</text:span>', 'Ελληνικά'), 'a.odt');
    await upload(
      'html',
      Buffer.from('<title>T</title><script>hidden()</script><p>html<b>word</b></p>'),
      'a.html',
      'text/html',
    );
    await upload('txt', Buffer.from('plainword caf\u00e9 running', 'latin1'), 'a.txt', 'text/plain');
    await upload('rtf', Buffer.from("{\\rtf1{\\fonttbl Arial;}rtf\\'e9word\\par two}"), 'a.rtf');
    await read();
    const words = {
      pdfword: 'pdf',
      docxword: 'docx',
      xlsxword: 'xlsx',
      計算: 'xlsx',
      inlinecell: 'xlsx',
      pptxword: 'pptx',
    };
    for (const [word, id] of Object.entries({
      ...words,
      odtword: 'odt',
      ελληνικα: 'odt',
      htmlword: 'html',
      rtfeword: 'rtf',
    }))
      expect(await found(word), word).toEqual([`/${id}`]);
    expect(await found('cafe')).toEqual(['/pdf', '/txt']);
    // Stems and phrases are found here as well, but not words from the markup of the file.
    expect(await found('"second slide"')).toEqual(['/pptx']);
    expect(await found('hidden OR hiddenfield OR Arial OR 98765')).toEqual([]);
    const { body } = await site.request('GET', '/@search?SearchableText=budget&hl=1');
    expect(body.items[0].highlighting).toEqual({
      text: [expect.stringContaining('<mark>Budget</mark> of the pdfword')],
    });
  });

  it.runIf(built)('only who may view the content finds it by the text of its file', async () => {
    await make(site, '/', { '@type': 'Folder', id: 'closed', title: 'Closed' });
    const text = file(Buffer.from('confidentialword'), 'p.txt', 'text/plain');
    await make(site, '/closed', { '@type': 'File', id: 'private', title: 'private', file: text });
    await read();
    expect(await found('confidentialword')).toEqual(['/closed/private']);
    expect(await found('confidentialword', 'anonymous')).toEqual([]);
    await transition(site, '/closed', 'publish');
    expect(await found('confidentialword', 'anonymous')).toEqual(['/closed/private']);
  });

  it.runIf(built)(
    'a replaced file is found by its new text, a copy and what comes back by theirs at once',
    async () => {
      await upload('changing', Buffer.from('formerword'), 'c.txt', 'text/plain');
      await read();
      await site.request('POST', '/@copy', { json: { source: '/changing' } });
      expect(await found('formerword')).toEqual(['/changing', '/copy_of_changing']);
      const next = file(Buffer.from('latterword'), 'c.txt', 'text/plain');
      expect((await site.request('PATCH', '/changing', { json: { file: next } })).status).toBe(204);
      await read();
      expect(await found('latterword')).toEqual(['/changing']);
      expect(await found('formerword')).toEqual(['/copy_of_changing']);
      await site.request('PATCH', '/changing', {
        json: { file: file(Buffer.from('formerword'), 'c.txt', 'text/plain') },
      });
      expect(await found('formerword')).toEqual(['/changing', '/copy_of_changing']);
      await reindexSite(site.kernel);
      expect(await found('formerword')).toEqual(['/changing', '/copy_of_changing']);
    },
  );

  it.runIf(built)('files that were there before are read once the catalog is built anew', async () => {
    await upload('older', Buffer.from('olderword'), 'o.txt', 'text/plain');
    await read();
    await site.kernel.db.query({ text: 'delete from file_text' });
    await site.kernel.db.query({ text: "update catalog set searchable = '', custom = '{}'" });
    await reindexSite(site.kernel);
    await read();
    expect(await found('olderword')).toEqual(['/older']);
  });

  it.runIf(built)('a broken or hostile file keeps no other from being read, and is not tried again', async () => {
    await upload('broken', Buffer.from('%PDF-1.4 broken'), 'b.pdf', 'application/pdf');
    await upload('no-zip', Buffer.from('no zip'), 'b.docx');
    await upload('bomb', zipBomb(150 * 1024 * 1024), 'bomb.docx');
    await upload('good', Buffer.from('goodword'), 'g.txt', 'text/plain');
    await read();
    expect(await found('goodword')).toEqual(['/good']);
    const rows = await site.kernel.db.query<{ reason: string; attempts: number }>({
      text: "select reason, attempts from file_text where state = 'failed' order by noted",
    });
    expect(rows).toHaveLength(3);
    expect(rows[2]?.reason).toBe('It is too large when it is unpacked.');
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
    expect(await found('bomb')).toEqual(['/bomb']);
  });

  it.runIf(built)('a file that takes too long is given up', async () => {
    const { hash } = await site.kernel.blobs.put(Buffer.from('slow'));
    const signal = new AbortController().signal;
    expect(await extractText(site.kernel.blobs, { hash, format: 'text' }, { signal, timeout: 1 })).toEqual({
      reason: 'It needed too much time or memory.',
    });
    expect(await extractText(site.kernel.blobs, { hash: 'a'.repeat(64), format: 'text' }, { signal })).toHaveProperty(
      'reason',
    );
  });

  it('a file without any known text is noted by nobody', async () => {
    const before = await site.kernel.db.query({ text: 'select hash from file_text' });
    await upload('bytes', Buffer.from('bytes'), 'x.bin');
    expect(await site.kernel.db.query({ text: 'select hash from file_text' })).toHaveLength(before.length);
  });
});

it('the words of three long texts of files and their stems fit into one tsvector', () => {
  const text = Array.from({ length: 200_000 }, (_, at) => `word${at}x`).join(' ');
  const { words, stems } = fileWords(text);
  const bytes = words.split(' ').reduce((sum, word) => sum + word.indexOf("':") - 1 + 6, 0);
  expect(bytes).toBeLessThanOrEqual(150_000);
  expect(stems.split(' ').length).toBe(words.split(' ').length);
});
