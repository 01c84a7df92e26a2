/** Values of settings of the core, parsed. */
export { siteScales as scales } from '../configuration/panels/content.ts';
export { siteTimeZone as timeZone } from '../configuration/panels/general.ts';
export { isKnownLanguage, readerLanguage } from '../configuration/panels/languages.ts';
export { maxUploadBytes } from '../configuration/panels/uploads.ts';
