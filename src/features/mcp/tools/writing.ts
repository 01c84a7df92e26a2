import { isJsonObject } from '#lib/json-object';
import { defineTool, type Tool } from '../tool.ts';
import { Change, requestOf } from './changes.ts';

const write = defineTool({
  name: 'write',
  title: 'Write a draft',
  description:
    'Does one change, new page, move, removal or transition at once. Only of what visitors do not see; for the rest use propose.',
  scope: 'write',
  destructive: true,
  input: Change,
  async run(site, change) {
    const { method, path, body } = requestOf(site, change);
    const { body: made } = await site.json(method, path, body ? { body } : {});
    const address = isJsonObject(made) ? made['@id'] : undefined;
    return { done: true, ...(address === undefined ? {} : { path: site.shortOf(address) }) };
  },
});

/** Tools that write without a proposal, for tokens with the scope `write`. */
export const writingTools: Tool[] = [write];
