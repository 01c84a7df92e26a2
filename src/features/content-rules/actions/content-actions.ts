import { type contentRules, message, references, transitionContent, tree, versions } from '#core';
import { BadRequest } from '#lib/errors';
import { textOf } from '#lib/json-object';
import { elementSchema, folder, line } from '../element-schema.ts';

const TARGET = folder('Target folder', 'As a path relative to the portal root.');

/** Returns the present path of the folder that an action names. Throws BadRequest when it is gone. */
async function requireTarget({ tx, values }: contentRules.ActionContext): Promise<string> {
  const target = textOf(values.target_folder);
  const path = target.startsWith('/') ? target : (await references.pathsOfUids(tx, [target])).get(target);
  if (path === undefined) throw new BadRequest('The target folder is gone.');
  return path;
}

/** Throws BadRequest for actions that are impossible with content that is being removed. */
function requireStaying({ event }: contentRules.ActionContext): void {
  if (event.removing) throw new BadRequest('The content is just being removed: this action comes too late.');
}

/** The token of the lock of the content: rules ignore locks of editors, because an editor may have started the rule. */
const lockTokenOf = ({ content }: contentRules.ActionContext): string | undefined => content.object.lock?.token;

const copyItem: contentRules.Action = {
  name: 'copy_item',
  aliases: ['plone.actions.Copy'],
  title: 'Copy to folder',
  description: 'Copy the triggering item to a specific folder',
  schema: elementSchema({ target_folder: TARGET }, ['target_folder']),
  summary: ({ target_folder: target }) => message(`Copy to folder ${textOf(target)}`),
  async run(context) {
    const { kernel, tx, caller, actor, content } = context;
    const target = await requireTarget(context);
    const sources = [{ path: content.object.path }];
    // The copy belongs to the actor, so it leaves out content below that the actor may not view.
    const copies = await tree.copy(kernel, { caller, target, sources }, { tx, viewer: actor });
    if (copies.length === 0) throw new BadRequest('The content is gone.');
  },
};

const moveItem: contentRules.Action = {
  name: 'move_item',
  aliases: ['plone.actions.Move'],
  title: 'Move to folder',
  description: 'Move the triggering item to a specific folder',
  schema: elementSchema({ target_folder: TARGET }, ['target_folder']),
  summary: ({ target_folder: target }) => message(`Move to folder ${textOf(target)}`),
  async run(context) {
    requireStaying(context);
    const { kernel, tx, caller, content } = context;
    const target = await requireTarget(context);
    const sources = [{ path: content.object.path }];
    await tree.move(kernel, { caller, target, sources, lockToken: lockTokenOf(context) }, { tx });
  },
};

const deleteItem: contentRules.Action = {
  name: 'delete_item',
  aliases: ['plone.actions.Delete'],
  title: 'Delete item',
  description: 'Delete the triggering item',
  schema: elementSchema({}),
  summary: () => message('Delete item'),
  async run(context) {
    requireStaying(context);
    const { kernel, tx, caller, content } = context;
    await tree.remove(kernel, { caller, path: content.object.path, lockToken: lockTokenOf(context) }, { tx });
  },
};

const transitionWorkflow: contentRules.Action = {
  name: 'transition_workflow',
  aliases: ['plone.actions.Workflow'],
  title: 'Transition workflow state',
  description: 'Perform a workflow transition on the triggering object',
  schema: elementSchema(
    {
      transition: {
        title: 'Transition',
        description: 'Select the workflow transition to attempt',
        type: 'string',
        factory: 'Choice',
        vocabulary: { '@id': 'workflowTransitions' },
      },
    },
    ['transition'],
  ),
  summary: ({ transition }) => message(`Execute transition ${textOf(transition)}`),
  async run(context) {
    requireStaying(context);
    const { kernel, tx, caller, content, values } = context;
    const transition = textOf(values.transition);
    await transitionContent(kernel, { caller, path: content.object.path, transition }, { tx });
  },
};

const versionItem: contentRules.Action = {
  name: 'version_item',
  aliases: ['plone.actions.Versioning'],
  title: 'Version item',
  description: 'Store a new version of the item',
  schema: elementSchema({
    comment: line('Comment', 'The comment added to the history while versioning the content.'),
  }),
  summary: ({ comment }) => message(`Versioning with comment ${textOf(comment)}`),
  async run(context) {
    requireStaying(context);
    const { kernel, tx, caller, site, content, values, substitute } = context;
    const { oid, type: name, fields } = content.object;
    const type = site.types.get(name);
    if (!type || !versions.areKept(type) || fields.versioning_enabled === false)
      throw new BadRequest(`Content of the type "${name}" has no versions.`);
    const note = await substitute(textOf(values.comment));
    await kernel.events.emit('content.modified', { oid, fields: [], before: {}, site, note }, { tx, caller });
  },
};

/** Actions that do something with the content. */
export const contentActions: readonly contentRules.Action[] = [
  copyItem,
  moveItem,
  deleteItem,
  transitionWorkflow,
  versionItem,
];
