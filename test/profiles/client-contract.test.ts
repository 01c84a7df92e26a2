import { describe, expect, test } from 'vitest';
import type { WorkflowDefinition } from '../../src/core/configuration/workflow/workflow.ts';
import { behaviorsOf, definitions, permissionsOf, typesOf } from './definitions.ts';
import { loadProfile, stringsOf } from './load-profile.ts';

describe('names that clients rely on', () => {
  const standard = typesOf(loadProfile('default'));
  const plone = typesOf(loadProfile('plone'));
  const find = (types: typeof standard, id: string) => types.find((type) => type.id === id);

  test('the fields that must be given to create content', () => {
    const required = Object.fromEntries(standard.map((type) => [type.id, type.required.toSorted()]));
    expect(required).toEqual({
      Site: ['title'],
      Folder: ['title'],
      Page: ['title'],
      LRF: ['title'],
      LIF: ['title'],
      Collection: ['title'],
      'News Item': ['title'],
      Event: ['start', 'title'],
      Link: ['remoteUrl', 'title'],
      File: ['file', 'title'],
      Image: ['image', 'title'],
      Video: ['title', 'video'],
    });
  });

  test('Volto uploads files and images without a title in the plone profile', () => {
    expect(find(plone, 'File')?.required).toEqual(['file']);
    expect(find(plone, 'Image')?.required).toEqual(['image']);
    expect(find(plone, 'Video')?.required).toEqual(['video']);
  });

  test('the first layout is the view of a new object; Volto redirects only links with link_redirect_view', () => {
    expect(find(standard, 'Page')?.layouts[0]).toBe('view');
    expect(find(plone, 'Page')?.layouts[0]).toBe('document_view');
    for (const types of [standard, plone]) {
      expect(find(types, 'Link')?.layouts[0]).toBe('link_redirect_view');
      expect(find(types, 'Folder')?.layouts).toContain('listing_view');
    }
  });

  test('the site root and language roots cannot be added by editors and are navigation roots', () => {
    for (const types of [standard, plone]) {
      for (const id of ['Site', 'LRF']) {
        expect(find(types, id)?.global_allow).toBe(false);
        expect(find(types, id)?.behaviorNames.has('navigation_root')).toBe(true);
      }
    }
  });

  test('the schema of a page has the names and types that editors of pages read', () => {
    const page = find(standard, 'Page');
    expect(page?.fieldsets.find((fieldset) => fieldset.id === 'layout')?.fields).toEqual(['blocks', 'blocks_layout']);
    expect(page?.properties).toMatchObject({
      title: { type: 'string' },
      description: { type: 'string', widget: 'textarea' },
      exclude_from_nav: { type: 'boolean', default: false },
      effective: { type: 'string', widget: 'datetime' },
      relatedItems: { type: 'array', factory: 'Relation List' },
      blocks: { type: 'dict', widget: 'json', default: {} },
      blocks_layout: { type: 'dict', widget: 'json', default: { items: [] } },
      changeNote: { writeOnly: true },
      language: { vocabulary: { '@id': 'plone.app.vocabularies.SupportedContentLanguages' } },
    });
  });

  test('Plone’s and Nick’s names of behaviors lead to the same behavior', () => {
    const behaviors = behaviorsOf(loadProfile('default'));
    const pairs = {
      'plone.basic': 'basic',
      'plone.categorization': 'categorization',
      'plone.publication': 'dates',
      'plone.ownership': 'ownership',
      'plone.dublincore': 'dublin_core',
      'plone.shortname': 'short_name',
      'plone.excludefromnavigation': 'exclude_from_nav',
      'plone.versioning': 'versioning',
      'volto.blocks': 'blocks',
      'volto.preview_image_link': 'preview_image_link',
      'plone.navigationroot': 'navigation_root',
    };
    for (const [alias, id] of Object.entries(pairs)) expect(behaviors.get(alias)?.id, alias).toBe(id);
  });

  test('dublin_core is the four metadata behaviors in one, field by field', () => {
    const behaviors = behaviorsOf(loadProfile('default'));
    const parts = ['basic', 'categorization', 'dates', 'ownership'].map((id) => behaviors.get(id)?.properties);
    expect(behaviors.get('dublin_core')?.properties).toEqual(Object.assign({}, ...parts));
  });

  test('in the publication workflow authors submit and reviewers publish', () => {
    const profile = loadProfile('default');
    const workflow = definitions<WorkflowDefinition>(profile, 'workflows').get('simple_publication_workflow');
    const permissions = permissionsOf(profile);
    const may = (transition: string) =>
      (workflow?.transitions[transition]?.guard?.permissions ?? []).flatMap((permission) =>
        stringsOf(permissions[permission], permission),
      );
    expect(may('publish')).not.toContain('Owner');
    expect(may('publish')).toContain('Reviewer');
    expect(may('submit')).toContain('Owner');
    for (const transition of ['publish', 'submit', 'retract', 'reject']) {
      for (const role of ['Anonymous', 'Authenticated', 'Reader'])
        expect(may(transition), transition).not.toContain(role);
    }
    expect(workflow?.states.private?.permissions.View?.roles).not.toContain('Anonymous');
    expect(workflow?.states.published?.permissions.View?.roles).toEqual(['Anonymous']);
    expect(workflow?.states.published?.permissions['Modify portal content']?.roles).not.toContain('Contributor');
  });
});
