import { type Component, componentUrl } from '../components.ts';
import { mayView } from '../may-view.ts';
import { urlOf } from '../render-context.ts';
import { chainOf, navigationRoot } from './navigation-root.ts';

/**
 * The way from below the navigation root to the object (plone.restapi §7, `@breadcrumbs`; `root` as in Nick). Containers
 * that the caller may not view are called by their id: the address tells it anyway, but not the title.
 */
export const breadcrumbs: Component = {
  name: 'breadcrumbs',
  hiddenOnRoot: true,
  async expand(context, resolved) {
    const chain = chainOf(resolved);
    const root = navigationRoot(context.site, resolved);
    const items = chain.slice(0, chain.length - root.length).map((node, i) => ({
      '@id': urlOf(context.base, node.path),
      title: mayView(context, chain.slice(i)) ? (node.navTitle ?? node.title) : node.name,
    }));
    return { '@id': componentUrl(context, resolved, 'breadcrumbs'), items: items.reverse(), root: root[0].path };
  },
};
