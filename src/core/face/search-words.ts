/** Words of content and of texts, in the form of the search. */

export { wordsOfContent as ofContent } from '../content/index-content.ts';
export { plainText } from '../content/plain-text.ts';
export { stemmerFor as stemmer, wordsOf as of } from '../search/text.ts';
