import path from 'node:path';
import { stringOrNull } from '@canopy-server/site-reader';
import { listed, type NickFolder } from './profiles.ts';

/** The roles of Nick's own profile: the site has their like. */
const OWN_ROLES = new Set([
  ...['Anonymous', 'Authenticated', 'Owner', 'Reader', 'Contributor', 'Editor', 'Reviewer', 'Administrator'],
]);
const OWN_WORKFLOW = 'simple_publication_workflow';

/** Files and folders that this reader takes something of. */
const READ = new Set([
  ...['documents', 'types', 'behaviors', 'vocabularies', 'users.json', 'groups.json', 'redirects.json'],
  ...['roles.json', 'workflows.json'],
]);

/** Files that describe the profile to Nick, and bring it from version to version. */
const OF_NICK = new Set(['metadata.json', 'metadata', 'upgrades']);

/** The messages for parts of a profile that are left out. */
const LEFT_OUT = new Map([
  ['permissions.json', 'Permissions of Nick are left out: those of the site stay.'],
  ['actions.json', 'Actions are left out: those of the site stay.'],
  ['catalog.json', 'Indexes and columns of the catalog are left out: fields declare them here.'],
  ['content_rules.json', 'Content rules are left out: make them anew.'],
  ['controlpanels', 'Settings of control panels are left out, but for the languages of the content: set them anew.'],
]);

/** Reports the parts of the profiles that are no content and have no place in an import. */
export async function reportSetup(folder: NickFolder): Promise<void> {
  const { files, profiles, problems, isLoose } = folder;
  if (isLoose) return;
  for (const profile of profiles) {
    for (const name of await files.list(profile.folder === '' ? '.' : profile.folder)) {
      const file = path.posix.join(profile.folder, name);
      if (name === 'vocabularies')
        problems.note({
          reason: 'changed',
          file,
          message: 'Vocabularies become the choices of the fields that use them; those of no field are left out.',
        });
      if (READ.has(name) || name.startsWith('.')) continue;
      const message = LEFT_OUT.get(name);
      if (OF_NICK.has(name))
        problems.note({
          reason: 'system',
          file,
          message: 'The description of the profile and its upgrades are for Nick itself.',
        });
      else
        problems.add({ reason: 'unsupported', file, message: message ?? `Nothing of ${name.slice(0, 100)} is read.` });
    }
  }
  for (const { id } of await listed(folder, 'roles.json', 'roles')) {
    const name = stringOrNull(id);
    if (name !== null && !OWN_ROLES.has(name))
      problems.add({
        reason: 'unsupported',
        path: `@roles/${name}`,
        key: 'roles',
        message: `The role ${name} is left out: make it anew with its permissions.`,
      });
  }
  for (const { id } of await listed(folder, 'workflows.json', 'workflows')) {
    const name = stringOrNull(id);
    if (name !== null && name !== OWN_WORKFLOW)
      problems.add({
        reason: 'unsupported',
        path: `@workflows/${name}`,
        key: 'workflows',
        message: `The workflow ${name} is left out: make it anew. States that the site has are kept.`,
      });
  }
}
