import type { Behavior } from '../../types/definition.ts';

/** The type of the site root in Plone, and in the profile `plone`. */
const PLONE_SITE = 'Plone Site';

/**
 * Says if clients of a site recognize it as a site of Plone: its root has Plone's type, as in the profile `plone` and profiles that extend it. Such a
 * site follows Plone where Nick and Plone differ.
 */
export const speaksPlone = ({ types }: { types: ReadonlyMap<string, unknown> }): boolean => types.has(PLONE_SITE);

const isPloneName = (name: string): boolean => name.startsWith('plone.') || name.startsWith('volto.');

/**
 * The marker of types whose blocks are fields of their own, so that their layout can be edited (plone.restapi, IBlocksEditableLayout). It is the same
 * as in the profile, and serves sites that are older than the profile.
 */
const EDITABLE_LAYOUT: Behavior = {
  id: 'volto.blocks.editable.layout',
  title: 'Blocks (Editable Layout)',
  description: 'The type has fields of its own for blocks, whose layout can be edited.',
};

/** A behavior under its name in Plone, if any; its id becomes another name. */
function named(behavior: Behavior): Behavior {
  const { id, aliases = [] } = behavior;
  const others = aliases.filter((alias) => alias !== EDITABLE_LAYOUT.id);
  const name = isPloneName(id) ? undefined : others.find(isPloneName);
  if (name === undefined) return { ...behavior, aliases: others };
  return { ...behavior, id: name, aliases: [id, ...others.filter((alias) => alias !== name)] };
}

/**
 * Behaviors by their names in Plone: Volto would take a key `blocks` in the panel of content types for blocks. Types may still use the other names.
 */
export function withPloneNames(behaviors: ReadonlyMap<string, Behavior>): Map<string, Behavior> {
  const renamed = [...behaviors.values()].map((behavior) => {
    const next = named(behavior);
    return next.id !== behavior.id && behaviors.has(next.id) ? behavior : next;
  });
  const all = behaviors.has(EDITABLE_LAYOUT.id) ? renamed : [...renamed, EDITABLE_LAYOUT];
  return new Map(all.map((behavior) => [behavior.id, behavior]));
}
