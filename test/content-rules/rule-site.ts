import { expect } from 'vitest';
import { PAGE } from '../support/profiles.ts';
import type { Json, Who } from '../support/site.ts';
import type { SharedSite } from '../support/use-site.ts';

const PANEL = '/@controlpanels/content-rules';

export type Element = { type: string; [value: string]: unknown };
export type RuleParts = {
  event?: string;
  conditions?: readonly Element[];
  actions?: readonly Element[];
  title?: string;
  enabled?: boolean;
  stop?: boolean;
  cascading?: boolean;
};

export const PUBLISH: Element = { type: 'transition_workflow', transition: 'publish' };
export const PAGES: Element = { type: 'content_type', check_types: [PAGE] };

/** Creates rules, folders and pages of a site over HTTP. */
export function rulesOf(site: SharedSite) {
  let made = 0;
  const next = (): number => {
    made += 1;
    return made;
  };

  async function ask(status: number, method: string, path: string, json?: unknown, as: Who = 'admin'): Promise<Json> {
    const answer = await site.request(method, path, { as, ...(json === undefined ? {} : { json }) });
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(status);
    return answer.body;
  }

  /** Creates a rule with its conditions and actions; returns its id. */
  async function addRule({ conditions = [], actions = [], ...rule }: RuleParts = {}): Promise<string> {
    const { id } = await ask(201, 'POST', PANEL, { title: `Rule ${next()}`, event: 'onAfterAdd', ...rule });
    for (const condition of conditions) await ask(201, 'POST', `${PANEL}/${id}/condition`, condition);
    for (const action of actions) await ask(201, 'POST', `${PANEL}/${id}/action`, action);
    return id;
  }

  /** Assigns a rule to a folder, by default for everything below it. */
  async function assign(folder: string, rule: string, { bubbles = true } = {}): Promise<void> {
    const address = `${folder === '/' ? '' : folder}/@content-rules`;
    await ask(201, 'POST', `${address}/${rule}`);
    if (bubbles) await ask(200, 'PATCH', address, { 'form.button.Bubble': true, rule_ids: [rule] });
  }

  const pathOf = (body: Json): string => new URL(body['@id']).pathname;

  async function addFolder(container = '/', more: object = {}): Promise<string> {
    const id = `folder-${next()}`;
    return pathOf(await ask(201, 'POST', container, { '@type': 'Folder', id, title: id, ...more }));
  }

  /** Creates a page and returns the response. */
  const addPage = (container: string, more: object = {}, as: Who = 'admin'): Promise<Json> =>
    ask(201, 'POST', container, { '@type': PAGE, title: `Page ${next()}`, ...more }, as);

  /** Creates a folder and assigns a rule to it. */
  async function folderWith(
    rule: RuleParts,
    options: { bubbles?: boolean } = {},
  ): Promise<{ folder: string; rule: string }> {
    const id = await addRule(rule);
    const folder = await addFolder();
    await assign(folder, id, options);
    return { folder, rule: id };
  }

  const childrenOf = async (path: string): Promise<string[]> => (await ask(200, 'GET', path)).items.map(pathOf);
  const stateOf = async (path: string): Promise<string> => (await ask(200, 'GET', path)).review_state;
  const failuresOf = async (rule: string): Promise<Json> => (await ask(200, 'GET', `${PANEL}/${rule}`)).failures;
  /** The entry of a rule in the `@content-rules` of a folder. */
  const lists = async (folder: string): Promise<Json> =>
    (await ask(200, 'GET', `${folder === '/' ? '' : folder}/@content-rules`))['content-rules'];

  return { ask, addRule, assign, addFolder, addPage, folderWith, childrenOf, stateOf, failuresOf, lists, pathOf, next };
}
