import { Type } from 'typebox';
import { Address, Extensible } from '../../../lib/schema/shapes.ts';
import { parseReference } from '../../content/blocks/resolve-uid.ts';
import { componentUrl, defineComponent } from '../components.ts';
import { allMetadata, previewUid } from '../summary.ts';
import { loadTargets, visibleTargets } from '../targets.ts';

/**
 * The columns that listings can show of the object (Nick, `@catalog`). `position_in_parent` grows in the order of the container, with gaps between
 * numbers.
 */
export const catalog = defineComponent({
  name: 'catalog',
  schema: Extensible({
    '@id': Address,
    '@type': Type.String(),
    title: Type.String(),
    position_in_parent: Type.Integer(),
  }),
  async expand(context, resolved) {
    const { object } = resolved;
    const { remoteUrl } = object.fields;
    const reference = typeof remoteUrl === 'string' ? parseReference(remoteUrl) : undefined;
    const linked = [reference?.uid, previewUid(context.site, object)].filter((uid) => uid !== undefined);
    const targets = await loadTargets(context, new Set(linked));
    return Object.assign(allMetadata(context.site, context.base, object, visibleTargets(targets)), {
      position_in_parent: object.position,
      '@id': componentUrl(context, resolved, 'catalog'),
      '@type': object.type,
      title: object.title,
    });
  },
});
