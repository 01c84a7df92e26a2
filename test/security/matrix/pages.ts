import { copyContent } from '../../../src/core/content/copy-content.ts';
import { locate } from '../../../src/core/content/locate.ts';
import { transitionContent } from '../../../src/core/content/transition-content.ts';
import { updateContent } from '../../../src/core/content/update-content.ts';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import { make, manager } from '../../content/make.ts';
import { FORM, PICTURE } from './belongings.ts';
import type { CallerName, State } from './row.ts';

/** The container of pages for single requests. It is excluded from navigation. */
export const STORE = '/store';
/** The number of pages that are created at once. */
const STOCK = 20;

/**
 * Words that some callers may not see: in a private page that is related to the page of the rows, and in the private site root.
 */
const UNSEEN = 'unseen';
const VEILED = 'veiled';
export const hiddenWords = (state: State): readonly string[] => (state === 'private' ? [UNSEEN, VEILED] : [UNSEEN]);
/** Callers who may view neither. */
export const KEPT_FROM: readonly CallerName[] = ['Anonymous', 'Member', 'Reviewer', 'Owner'];

/** The pages to which the requests of rows are sent. */
export type Pages = {
  /** Puts the site root into a state, and creates a page in that state. */
  enter(state: State): Promise<void>;
  /** The page of the rows: of "Owner", in the state that was entered, with a child and two versions. */
  page(): { path: string; uid: string };
  /** A page that no other request uses, in that state, owned by "Owner" or by somebody else. */
  nextPage(owner: 'owner' | 'admin'): Promise<string>;
};

/** Creates the content that the pages of all states refer to. */
export async function createPages(kernel: Kernel): Promise<Pages> {
  const change = async (path: string, input: Record<string, unknown>): Promise<void> => {
    const request = { caller: manager(), path, input, bases: [], lockToken: undefined };
    await updateContent(kernel, request);
  };
  await change('/', { preview_image: PICTURE, blocks: { form: FORM }, blocks_layout: { items: ['form'] } });
  const unseen = await make(kernel, '/', { id: UNSEEN, title: `${UNSEEN} title`, description: `${UNSEEN} words` });
  await make(kernel, '/', { id: STORE.slice(1), exclude_from_nav: true });
  const stock = await make(kernel, STORE, { id: 'stock' });
  for (let i = 0; i < STOCK; i += 1) await make(kernel, stock, { id: `page-${i}`, description: 'old words' });

  let state: State = 'private';
  let page = { path: '', uid: '' };
  let left: Record<'owner' | 'admin', string[]> = { owner: [], admin: [] };

  async function enter(entered: State): Promise<void> {
    state = entered;
    left = { owner: [], admin: [] };
    const root = (await locate(kernel, '/')).resolved?.object;
    const transition = state === 'private' ? 'retract' : 'publish';
    if (root?.reviewState !== state) await transitionContent(kernel, { caller: manager(), path: '/', transition });
    await change('/', { title: state === 'private' ? `${VEILED} site root` : 'Open site root' });
    const fields = {
      preview_image: PICTURE,
      relatedItems: [unseen],
      blocks: { teaser: { '@type': 'teaser', href: [{ '@id': unseen }], overwrite: false }, form: FORM },
      blocks_layout: { items: ['teaser', 'form'] },
    };
    const path = await make(kernel, '/', { id: `${state}-page`, ...fields }, { state, owner: 'owner' });
    await make(kernel, path, { id: 'child' }, { state, owner: 'owner' });
    await change(path, { title: 'A page' });
    await change(unseen, { relatedItems: [path] });
    page = { path, uid: (await locate(kernel, path)).resolved?.object.uid ?? '' };
  }

  async function nextPage(owner: 'owner' | 'admin'): Promise<string> {
    const next = left[owner].pop();
    if (next !== undefined) return next;
    const caller = manager(owner);
    const [copy] = await copyContent(kernel, { caller, target: STORE, sources: [{ path: stock }] });
    if (!copy) throw new Error('The stock is gone');
    const path = copy.target;
    if (state === 'published')
      await transitionContent(kernel, { caller, path, transition: 'publish', includeChildren: true });
    left[owner] = Array.from({ length: STOCK }, (_, i) => `${path}/page-${i}`);
    return nextPage(owner);
  }

  return { enter, page: () => page, nextPage };
}
