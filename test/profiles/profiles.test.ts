import { describe, expect, test } from 'vitest';
import { FEATURES } from '../../src/app/features.ts';
import { loadProfile as loadFiles } from '../../src/core/configuration/profiles/profile.ts';
import type { WorkflowDefinition } from '../../src/core/configuration/workflow/workflow.ts';
import * as asked from '../../src/core/security/permissions.ts';
import type { Behavior, Property, TypeDefinition } from '../../src/core/types/definition.ts';
import { definitionProblem } from '../../src/core/types/field-definition/definition-problem.ts';
import { registries } from '../support/registries.ts';
import { definitions, idsOf, list, permissionsOf, typesOf } from './definitions.ts';
import { folderOf, loadProfile, objectOf, profileNames, stringsOf } from './load-profile.ts';

/** Conditions of actions, as `docs/profiles.md` lists them. */
const CONDITIONS = [
  ...['anonymous', 'authenticated', 'self_registration', 'is_folderish', 'not_root'],
  ...['has_versioning', 'can_check_out', 'is_working_copy', undefined],
];

describe.each(profileNames())('profile %s', (name) => {
  const profile = loadProfile(name);

  test('the server takes every file and every key', () => {
    expect(loadFiles(name).rows.length).toBeGreaterThan(0);
  });

  test('metadata.json names its own folder, and what it extends and renames exists', () => {
    const { id, extends: base, rename } = profile.metadata;
    expect(id).toBe(name);
    if (base !== undefined) expect(profileNames()).toContain(base);
    const types = folderOf(profile, 'types');
    for (const [from, to] of Object.entries(objectOf(rename ?? {}, 'rename'))) {
      expect(types.has(from), from).toBe(true);
      expect([...types.values()].map((type) => type.id)).not.toContain(to);
    }
  });

  test.each(['types', 'behaviors', 'workflows'])('files in %s are named after the id they hold', (folder) => {
    for (const [file, { id }] of folderOf(profile, folder)) expect(file).toBe(String(id).replaceAll(' ', '-'));
  });

  test.each(['types', 'behaviors'])('ids and aliases of %s are not shared by two', (folder) => {
    const names = [...folderOf(profile, folder).values()].flatMap(({ id, aliases }) => [
      String(id),
      ...stringsOf(aliases ?? [], 'aliases'),
    ]);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  test('types name only behaviors, workflows and types that exist', () => {
    const behaviors = definitions<Behavior>(profile, 'behaviors');
    const types = definitions<TypeDefinition>(profile, 'types');
    const workflows = definitions<WorkflowDefinition>(profile, 'workflows');
    for (const type of types.values()) {
      for (const behavior of type.behaviors) expect(behaviors.has(behavior), `${type.id}: ${behavior}`).toBe(true);
      for (const allowed of type.allowed_content_types) expect(types.has(allowed), `${type.id}: ${allowed}`).toBe(true);
      if (type.workflow !== null) expect(workflows.has(type.workflow), `${type.id}: ${type.workflow}`).toBe(true);
      expect(new Set(type.behaviors).size, `${type.id}: each behavior once`).toBe(type.behaviors.length);
      expect(type.layouts.length, `${type.id}: a default layout`).toBeGreaterThan(0);
      expect(new Set(type.layouts).size, `${type.id}: each layout once`).toBe(type.layouts.length);
    }
  });

  test('each behavior lists its own fields in one fieldset, and requires only those', () => {
    for (const { id, fieldsets = [], properties = {}, required = [] } of definitions<Behavior>(
      profile,
      'behaviors',
    ).values()) {
      const fields = fieldsets.flatMap((fieldset) => fieldset.fields);
      expect(fields.toSorted(), id).toEqual(Object.keys(properties).toSorted());
      for (const field of required) expect(fields, id).toContain(field);
    }
  });

  test('each field of a merged type is in exactly one fieldset, fieldsets have one title everywhere', () => {
    const titles = new Map<string, string>();
    for (const type of typesOf(profile)) {
      expect(type.fieldsets.flatMap((fieldset) => fieldset.fields).toSorted(), type.id).toEqual(
        Object.keys(type.properties).toSorted(),
      );
      expect(type.fieldsets[0]?.id, type.id).toBe('default');
      for (const { id, title } of type.fieldsets)
        expect(titles.get(id) ?? titles.set(id, title).get(id), `${type.id}: ${id}`).toBe(title);
    }
  });

  test('no field is brought by two behaviors of a type in different forms', () => {
    const behaviors = definitions<Behavior>(profile, 'behaviors');
    for (const type of definitions<TypeDefinition>(profile, 'types').values()) {
      const seen = new Map<string, Property>();
      for (const id of type.behaviors) {
        for (const [field, property] of Object.entries(behaviors.get(id)?.properties ?? {})) {
          expect(seen.get(field) ?? property, `${type.id}: ${field}`).toEqual(property);
          seen.set(field, property);
        }
      }
    }
  });

  test('every field can be, with its settings and its default', () => {
    for (const type of typesOf(profile)) {
      for (const { name: field, ...property } of type.fields)
        expect(definitionProblem(registries.fieldKinds, field, property), `${type.id}: ${field}`).toBeUndefined();
    }
  });

  test('workflows start in a state they have, and transitions lead from and to states', () => {
    for (const workflow of definitions<WorkflowDefinition>(profile, 'workflows').values()) {
      const states = Object.keys(workflow.states);
      const used = Object.values(workflow.states).flatMap((state) => state.transitions);
      expect(states, workflow.id).toContain(workflow.initial_state);
      expect([...new Set(used)].toSorted(), `${workflow.id}: transitions of the states`).toEqual(
        Object.keys(workflow.transitions).toSorted(),
      );
      for (const [id, { new_state }] of Object.entries(workflow.transitions))
        expect(states, `${workflow.id}: ${id}`).toContain(new_state);
      const reached = new Set([workflow.initial_state]);
      for (const state of reached)
        for (const id of workflow.states[state]?.transitions ?? [])
          reached.add(workflow.transitions[id]?.new_state ?? state);
      expect([...reached].toSorted(), `${workflow.id}: every state can be reached`).toEqual(states.toSorted());
    }
  });

  test('states of one workflow rule the same permissions: a transition leaves none of the former state behind', () => {
    for (const { id, states } of definitions<WorkflowDefinition>(profile, 'workflows').values()) {
      const ruled = Object.values(states).map((state) => Object.keys(state.permissions).toSorted());
      for (const permissions of ruled) expect(permissions, id).toEqual(ruled[0]);
    }
  });

  test('in each state those who may change content may view it', () => {
    for (const { id, states } of definitions<WorkflowDefinition>(profile, 'workflows').values()) {
      for (const [state, { permissions }] of Object.entries(states)) {
        const view = permissions.View?.roles ?? [];
        if (view.includes('Anonymous')) continue;
        for (const role of permissions['Modify portal content']?.roles ?? [])
          expect(view, `${id}.${state}: ${role}`).toContain(role);
      }
    }
  });

  test('roles, permissions and groups that are named exist', () => {
    const roles = idsOf(profile, 'roles.json');
    const groups = idsOf(profile, 'groups.json');
    const permissions = permissionsOf(profile);
    const named = Object.entries(permissions).map(([permission, given]) => ({
      where: permission,
      roles: stringsOf(given, permission),
    }));
    for (const group of list(profile, 'groups.json'))
      named.push({ where: String(group.id), roles: stringsOf(group.roles, 'roles') });
    const guarded: string[] = [];
    for (const { id, states, transitions } of definitions<WorkflowDefinition>(profile, 'workflows').values()) {
      for (const state of Object.values(states)) {
        guarded.push(...Object.keys(state.permissions));
        named.push(...Object.values(state.permissions).map((setting) => ({ where: id, roles: setting.roles })));
      }
      for (const { guard } of Object.values(transitions)) {
        guarded.push(...(guard?.permissions ?? []));
        named.push({ where: id, roles: guard?.roles ?? [] });
        for (const group of guard?.groups ?? []) expect(groups, id).toContain(group);
      }
    }
    for (const type of definitions<TypeDefinition>(profile, 'types').values())
      if (type.add_permission) guarded.push(type.add_permission);
    for (const actions of Object.values(objectOf(profile.files.get('actions.json'), 'actions.json'))) {
      for (const action of Array.isArray(actions) ? actions : []) {
        const { permission } = objectOf(action, 'action');
        if (typeof permission === 'string') guarded.push(permission);
      }
    }
    for (const { where, roles: given } of named) for (const role of given) expect(roles, where).toContain(role);
    for (const permission of guarded) expect(Object.keys(permissions)).toContain(permission);
    expect(roles).toEqual([...new Set(roles)]);
  });

  test('a Manager has every permission, by the own role or as everybody', () => {
    for (const [permission, roles] of Object.entries(permissionsOf(profile))) {
      expect(
        stringsOf(roles, permission).some((role) => ['Manager', 'Authenticated', 'Anonymous'].includes(role)),
        permission,
      ).toBe(true);
    }
  });

  test('every permission that the server asks for belongs to a role', () => {
    const ofFeatures = FEATURES.flatMap(({ permissions = {} }) => Object.keys(permissions));
    const given = [...Object.keys(permissionsOf(profile)), ...ofFeatures];
    expect(given).toEqual(expect.arrayContaining(Object.values(asked)));
  });

  test('Anonymous may only view content and comments and use the API', () => {
    const open = Object.entries(permissionsOf(profile)).filter(([permission, roles]) =>
      stringsOf(roles, permission).includes('Anonymous'),
    );
    expect(open.map(([permission]) => permission).toSorted()).toEqual([
      'Access contents information',
      'View',
      'View comments',
      'cms.restapi: Use REST API',
    ]);
  });

  test('actions have an id of their own in their category and only known placeholders', () => {
    for (const [category, actions] of Object.entries(objectOf(profile.files.get('actions.json'), 'actions.json'))) {
      const entries = (Array.isArray(actions) ? actions : []).map((action) => objectOf(action, category));
      const ids = entries.map((action) => action.id);
      expect(ids, category).toEqual([...new Set(ids)]);
      for (const { url, id, condition } of entries) {
        expect(CONDITIONS, `${category}: ${id}`).toContain(condition);
        if (typeof url === 'string')
          expect(url, `${category}: ${id}`).toMatch(/^\$\{(object|portal|navigation_root)_url\}(\/[\w@-]+)*$/);
      }
    }
  });

  test('settings name types that exist and a default language that is available', () => {
    const settings = objectOf(profile.files.get('settings.json'), 'settings.json');
    const types = [...definitions<TypeDefinition>(profile, 'types').keys()];
    const { displayed_types: displayed } = objectOf(settings.navigation, 'navigation');
    const { types_not_searched: unsearched } = objectOf(settings.search, 'search');
    for (const type of [...stringsOf(displayed, 'displayed_types'), ...stringsOf(unsearched, 'types_not_searched')])
      expect(types).toContain(type);
    const { default_language: language, available_languages: languages } = objectOf(settings.language, 'language');
    expect(stringsOf(languages, 'available_languages')).toContain(language);
    const { allowed_sizes: sizes } = objectOf(settings.imaging, 'imaging');
    for (const size of stringsOf(sizes, 'allowed_sizes')) expect(size).toMatch(/^[\w-]+ \d+:\d+$/);
  });

  test('the first content fits the type of the root, and its blocks are those of the layout', () => {
    const { review_state: state, ...fields } = objectOf(profile.files.get('content.json'), 'content.json');
    const site = typesOf(profile).find((type) => type.id === 'Site');
    const workflow = definitions<WorkflowDefinition>(profile, 'workflows').get(site?.workflow ?? '');
    for (const field of Object.keys(fields)) expect(Object.keys(site?.properties ?? {})).toContain(field);
    expect(Object.keys(workflow?.states ?? {})).toContain(state);
    const { items } = objectOf(fields.blocks_layout, 'blocks_layout');
    expect(stringsOf(items, 'items').toSorted()).toEqual(Object.keys(objectOf(fields.blocks, 'blocks')).toSorted());
  });
});
