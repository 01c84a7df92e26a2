import { expect, it } from 'vitest';
import { htmlWords } from '../../src/lib/text/html-words.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { useTestSite } from '../support/use-site.ts';
import { typesSite } from '../types/types-site.ts';
import { make, search } from './make.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describeEachEngine('what a search finds content by', (engine) => {
  const site = useTestSite(engine);
  const types = typesSite(site);
  const found = async (words: string) => (await search(site, '/', `SearchableText=${encodeURIComponent(words)}`)).paths;
  const blocks = (block: Record<string, unknown>) => ({ blocks: { b: block }, blocks_layout: { items: ['b'] } });

  it('a search finds content by all texts of a type that was created at run time', async () => {
    const type = await types.newType({});
    for (const field of [
      { id: 'motto', factory: 'Text line (String)' },
      { id: 'story', factory: 'Rich Text' },
      { id: 'notes', factory: 'Text' },
      { id: 'names', factory: 'List' },
      { id: 'slate', factory: 'SlateJSONField' },
      { id: 'panel', factory: 'JSONField' },
      { id: 'secret', factory: 'Password' },
    ])
      await types.addField(type, { title: field.id, ...field });
    await make(site, '/', {
      '@type': type,
      id: 'own',
      title: 'Own',
      motto: 'mottoword',
      story: '<p>story<b>word</b></p><img src="/x.png" alt="altword" />',
      notes: 'notesword',
      names: ['nameword one', 'two'],
      slate: [{ type: 'p', children: [{ text: 'slate' }, { type: 'strong', children: [{ text: 'word' }] }] }],
      panel: blocks({ '@type': 'slate', plaintext: 'panelword' }),
      secret: 'secretword',
    });
    for (const word of ['mottoword', 'storyword', 'altword', 'notesword', 'nameword', 'slateword', 'panelword'])
      expect(await found(word), word).toEqual(['/own']);
    expect(await found('secretword')).toEqual([]);
    await site.request('PATCH', '/own', { json: { motto: 'other' } });
    expect(await found('mottoword')).toEqual([]);
  });

  it('a search finds no content by a field that some viewers of the content may not read', async () => {
    await make(site, '/', { '@type': PAGE, id: 'note', title: 'Note', changeNote: 'notedword' });
    expect(await found('notedword')).toEqual([]);
    expect(await found('admin')).toEqual([]);
  });

  it('a search finds the location of an event and the name of a file, by its parts as well', async () => {
    await make(site, '/', {
      '@type': 'Event',
      id: 'meeting',
      title: 'Meeting',
      start: '2026-05-01T10:00:00Z',
      end: '2026-05-01T11:00:00Z',
      location: 'Kungsträdgården',
    });
    expect(await found('kungstradgarden')).toEqual(['/meeting']);
    await make(site, '/', {
      '@type': 'File',
      id: 'file',
      title: 'Document',
      file: {
        data: base64('x'),
        encoding: 'base64',
        filename: 'Annual_report-2031.bin',
        'content-type': 'application/octet-stream',
      },
    });
    for (const word of ['Annual_report-2031.bin', 'annual', 'report', '2031'])
      expect(await found(word)).toEqual(['/file']);
  });

  it('a search finds the words of blocks of HTML, pictures, headings, code and panels', async () => {
    const page = (id: string, block: Record<string, unknown>) =>
      make(site, '/', { '@type': PAGE, id, title: id, ...blocks(block) });
    await page('html', { '@type': 'html', html: '<p>htmlw<i>ord</i></p><img src="/x.png" alt="imagery">' });
    await page('picture', { '@type': 'image', alt: 'alternative', url: '/x.png' });
    await page('head', { '@type': 'heading', heading: 'headingword' });
    await page('code', { '@type': 'codeBlock', code: 'codeword()' });
    await page('panels', {
      '@type': 'accordion',
      data: {
        blocks: {
          a: {
            '@type': 'accordionPanel',
            title: 'panelled',
            blocks: { c: { '@type': 'slate', plaintext: 'innermost' } },
          },
        },
        blocks_layout: { items: ['a'] },
      },
    });
    const words = { htmlword: 'html', imagery: 'html', alternative: 'picture', headingword: 'head', codeword: 'code' };
    for (const [word, id] of Object.entries({ ...words, panelled: 'panels', innermost: 'panels' }))
      expect(await found(word), word).toEqual([`/${id}`]);
    expect(await found('img OR html')).toEqual(['/html']);
  });
});

it('the searched words of HTML are its visible texts, whatever its elements are', () => {
  expect(htmlWords('<p>One<br>two &amp; caf&#233;</p><script>no<b></script>three')).toBe(' One two & café   three');
  expect(htmlWords('a < b <!-- c --> &bogus; <b')).toBe('a < b  &bogus; ');
  for (const hostile of ['<', '<a ', '<!--', '<script>', '< ', '&#'].map((part) => part.repeat(200_000))) {
    const started = performance.now();
    htmlWords(hostile);
    expect(performance.now() - started).toBeLessThan(2000);
  }
});
