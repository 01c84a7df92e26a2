/** Parts of the components of the core that features need. */
export { ACTION_CONDITIONS } from '../serializer/components/actions.ts';
export { navigationRoot } from '../serializer/components/chain.ts';
export { navigationContent } from '../serializer/components/navigation.ts';
export { types } from '../serializer/components/types.ts';
