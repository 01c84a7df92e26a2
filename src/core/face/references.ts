/** References of content to content: links and relations in all their forms, and their targets. */
export { internalPath as parseLink } from '../content/blocks/internal-path.ts';
export { parseReference as parse, storedReference as stored } from '../content/blocks/resolve-uid.ts';
export { relationEnds as visibleEnds, resolverFor as resolver } from '../content/references.ts';
export { sourceReferences as named } from '../content/relocate.ts';
export {
  CLOSED_LINK_RELATION as CLOSED_LINKS,
  findTargets as targets,
  LINK_RELATION as LINKS,
  pathsOfUids,
  resolveReferences as resolve,
  type TargetRow,
} from '../content/statements/references.ts';
