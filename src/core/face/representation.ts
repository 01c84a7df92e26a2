/** Content as JSON: the whole representation with its schema, and the targets of its references that the caller may view. */
export { SUMMARY } from '../serializer/content-shapes.ts';
export { renderObject as render } from '../serializer/object.ts';
export { loadTargets, uidsOf, visibleTargets } from '../serializer/targets.ts';
export { ContentRepresentation as Schema } from '../services/content/content-object.ts';
export { RepresentationQuery as Query } from '../services/content/content-schemas.ts';
export { ContentQuery, requestedContent as requested } from '../services/content/get-content.ts';
