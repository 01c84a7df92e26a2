import { access, contentPath, type contentRules, message, stateOf } from '#core';
import { isJsonObject, textOf } from '#lib/json-object';
import { elementSchema, folder, line, terms, textsOf } from '../element-schema.ts';
import { compareField } from './compare-field.ts';

const contentType: contentRules.Condition = {
  name: 'content_type',
  aliases: ['plone.conditions.PortalType'],
  title: 'Content type',
  description: 'Apply only when the current content object is of a particular type',
  schema: elementSchema({ check_types: terms('types', 'Content type', 'The content type to check for.') }, [
    'check_types',
  ]),
  summary: ({ check_types }) => message(`Content types are: ${textsOf(check_types).join(', ')}`),
  passes({ site, content, values }) {
    const { type } = content.object;
    const names = [type, ...(site.types.get(type)?.aliases ?? [])];
    return textsOf(values.check_types).some((wanted) => names.includes(wanted));
  },
};

/** The part of a file name behind its last dot, in lower case. */
const extensionOf = (filename: string): string => filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();

const fileExtension: contentRules.Condition = {
  name: 'file_extension',
  aliases: ['plone.conditions.FileExtension'],
  title: 'File Extension',
  description: 'Apply only to a particular file extension',
  schema: elementSchema(
    { file_extension: line('File extension', 'The file extension to check for', { maxLength: 100 }) },
    ['file_extension'],
  ),
  summary: ({ file_extension: extension }) => message(`File extension is ${textOf(extension)}`),
  passes({ kernel, site, content: { object }, values }) {
    const wanted = textOf(values.file_extension).trim().replace(/^\./, '').toLowerCase();
    const fields = site.types.get(object.type)?.fields ?? [];
    return fields.some((field) => {
      const stored = kernel.fieldKinds.of(field).holds ? object.fields[field.name] : undefined;
      const filename = isJsonObject(stored) ? textOf(stored.filename) : '';
      return filename.includes('.') && extensionOf(filename) === wanted;
    });
  },
};

const userGroup: contentRules.Condition = {
  name: 'user_group',
  aliases: ['plone.conditions.Group'],
  title: 'User’s group',
  description: 'Apply only when the current user is in the given group',
  schema: elementSchema({ group_names: terms('groups', 'Group name', 'The name of the group.') }, ['group_names']),
  summary: ({ group_names }) => message(`Groups are: ${textsOf(group_names).join(', ')}`),
  passes: ({ actor, values }) => textsOf(values.group_names).some((group) => actor.groups.includes(group)),
};

const userRole: contentRules.Condition = {
  name: 'user_role',
  aliases: ['plone.conditions.Role'],
  title: 'User’s role',
  description: 'Apply only when the current user has the given role',
  schema: elementSchema({ role_names: terms('roles', 'Roles', 'The roles to check for.') }, ['role_names']),
  summary: ({ role_names }) => message(`Roles are: ${textsOf(role_names).join(', ')}`),
  passes({ site, actor, content, values }) {
    const roles = access.rolesAt(site, actor, content);
    return textsOf(values.role_names).some((role) => roles.has(role) || actor.roles.includes(role));
  },
};

const workflowState: contentRules.Condition = {
  name: 'workflow_state',
  aliases: ['plone.conditions.WorkflowState'],
  title: 'Workflow state',
  description: 'Apply only to a objects in a particular workflow state',
  schema: elementSchema({ wf_states: terms('workflowStates', 'Workflow state', 'The workflow states to check for.') }, [
    'wf_states',
  ]),
  summary: ({ wf_states }) => message(`Workflow states are: ${textsOf(wf_states).join(', ')}`),
  passes: ({ site, content: { object }, values }) =>
    textsOf(values.wf_states).includes(stateOf(site, object)?.id ?? object.reviewState ?? ''),
};

const path: contentRules.Condition = {
  name: 'path',
  title: 'Place',
  description: 'Apply only to a particular folder and what is below it',
  schema: elementSchema({ path: folder('Folder', 'The folder, by its path or UID.') }, ['path']),
  summary: ({ path: below }) => message(`Is at or below ${textOf(below)}`),
  passes({ content: { object, ancestors }, values }) {
    const wanted = textOf(values.path);
    return wanted.startsWith('/')
      ? contentPath.isAtOrBelow(object.path, wanted)
      : [object, ...ancestors].some(({ uid }) => uid === wanted);
  },
};

/** The conditions that come with the server. */
export const coreConditions: readonly contentRules.Condition[] = [
  contentType,
  fileExtension,
  userGroup,
  userRole,
  workflowState,
  path,
  compareField,
];
