import type { ExportedFile, ExportedItem } from '@canopy-server/site-reader';
import { describe, expect, it } from 'vitest';
import type { TypeDefinition } from '../../../src/core/types/definition.ts';
import { inferType as inferTypeOf, type StandardFields } from '../../../src/features/import/infer-type.ts';
import { registries } from '../../support/registries.ts';
import { sample } from './helpers.ts';

const inferType = (
  typeId: string,
  title: string,
  samples: readonly ExportedItem[],
  standard: StandardFields,
): TypeDefinition =>
  inferTypeOf(
    { kinds: registries.fieldKinds, behaviors: [], termsOf: () => undefined, mayName: () => true },
    { typeId, title },
    samples,
    standard,
  );

const factoryOf = (...values: unknown[]): string | undefined =>
  inferType(
    'Thing',
    'Thing',
    values.map((value) => sample({ fields: { own: value } })),
    {},
  ).properties?.own?.factory;

const file = (more: Partial<ExportedFile>): ExportedFile => ({
  field: 'own',
  path: null,
  filename: 'f',
  contentType: 'application/pdf',
  size: null,
  ...more,
});

describe('the kind of an inferred field', () => {
  const relation = { '@id': '/a', UID: 'u', title: 'A' };
  it.each([
    ['Yes/No', [true, null, false]],
    ['Integer', [1, 2]],
    ['Floating-point number', [1, 2.5]],
    ['Text line (String)', ['short', '']],
    ['Text', ['short', 'two\nlines']],
    ['Text', ['x'.repeat(201)]],
    ['Rich Text', [{ data: '<p>', 'content-type': 'text/html', encoding: 'utf-8' }]],
    ['List', [['a', 'b'], []]],
    ['List', [[{ token: 'a', title: 'A' }]]],
    ['Text line (String)', [{ token: 'a', title: 'A' }]],
    ['Relation List', [[], [relation]]],
    ['Relation Choice', [relation, null]],
    ['Date/Time', ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05+00:00']],
    ['Date', ['2024-01-02', null]],
    ['Text line (String)', ['2024-01-02', '2024-13-45']],
    ['Text line (String)', ['2024-01-02T03:04:05Z', 'soon']],
    ['JSONField', [{ any: 'thing' }]],
    ['JSONField', [[{ a: 1 }], []]],
    ['JSONField', ['text', 3]],
    ['Text line (String)', [null, null]],
  ])('an inferred field is %s for the values %j', (factory, values) => {
    expect(factoryOf(...values)).toBe(factory);
  });

  it('an inferred field is File or Image depending on its files', () => {
    const infer = (...files: ExportedFile[]): string | undefined =>
      inferType(
        'T',
        'T',
        files.map((one) => sample({ files: [one] })),
        {},
      ).properties?.own?.factory;
    expect(infer(file({}))).toBe('File');
    expect(infer(file({ contentType: 'image/png' }))).toBe('Image');
    expect(infer(file({ width: 1, height: 1 }))).toBe('Image');
    expect(infer(file({ contentType: 'image/png' }), file({}))).toBe('File');
  });
});

describe('an inferred type', () => {
  it('an inferred type has behaviors for standard fields and keeps the rest as its own fields', () => {
    const type = inferType(
      'Sponsor',
      'A sponsor',
      [
        sample({
          fields: { title: 'x', subjects: [], blocks: {}, blocks_layout: {}, nav_title: null, preview_caption: null },
          given: ['creators', 'language'],
          isFolderish: true,
          layout: 'view',
        }),
        sample({ fields: { title: 'y', remoteUrl: 'https://a' }, reviewState: 'private', layout: 'big_view' }),
      ],
      {},
    );
    expect(type).toEqual({
      id: 'Sponsor',
      title: 'A sponsor',
      behaviors: [
        'plone.basic',
        'plone.categorization',
        'plone.ownership',
        'plone.namefromtitle',
        'plone.shortname',
        'volto.navtitle',
        'volto.preview_image',
        'volto.blocks',
        'folderish',
      ],
      fieldsets: [{ id: 'default', title: 'Default', fields: ['remoteUrl'] }],
      properties: { remoteUrl: { title: 'Remote url', factory: 'URL', type: 'string', widget: 'url' } },
      required: [],
      global_allow: true,
      filter_content_types: false,
      allowed_content_types: [],
      workflow: 'simple_publication_workflow',
      layouts: ['view', 'big_view'],
      generated_by: 'import',
    });
  });

  it('an inferred type has no workflow when none of its objects has a state', () => {
    expect(inferType('T', 'T', [sample({})], {}).workflow).toBeNull();
  });

  it('an inferred type has a lead image only with a caption, and an image alone is its own field', () => {
    const image = file({ field: 'image', contentType: 'image/png' });
    const standard = { image: ['plone.leadimage'], image_caption: ['plone.leadimage'] };
    const lead = inferType('T', 'T', [sample({ fields: { image_caption: null }, files: [image] })], standard);
    expect(lead.behaviors).toContain('plone.leadimage');
    expect(lead.properties).toEqual({});
    const own = inferType('T', 'T', [sample({ files: [image] })], standard);
    expect(own.behaviors).not.toContain('plone.leadimage');
    expect(own.properties?.image?.factory).toBe('Image');
  });

  it('an inferred type gets other behaviors of the site by the fields of its objects', () => {
    const standard = {
      start: ['plone.eventbasic'],
      end: ['plone.eventbasic'],
      whole_day: ['plone.eventbasic'],
      sync_uid: ['plone.eventbasic'],
      text: ['plone.richtext', 'other.text'],
      other: ['other.text'],
    };
    const fields = { start: '2024-01-01T00:00:00Z', end: null, text: null, toString: 'own' };
    const event = inferType('T', 'T', [sample({ fields })], standard);
    expect(event.behaviors).toEqual(['plone.shortname', 'plone.eventbasic', 'plone.richtext']);
    expect(Object.keys(event.properties ?? {})).toEqual(['toString']);
    const lonely = inferType('T', 'T', [sample({ fields: { start: null } })], standard);
    expect(Object.keys(lonely.properties ?? {})).toEqual(['start']);
  });
});
