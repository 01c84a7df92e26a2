/** Results of searches and listings: find them, and show them with the metadata that a client asks for. */
export { storedQuery } from '../serializer/listing.ts';
export { findByWords, findResults as find } from '../serializer/search-results.ts';
export { allMetadata, chosenMetadata, summary } from '../serializer/summary.ts';
export { resultsAddress as addressOf } from '../services/search.ts';
export { asksForNothing, parseSearch as parse } from '../services/search-parameters.ts';
