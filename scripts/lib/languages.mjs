/** The languages that the program speaks beside English, as their folders in `locales` are named. */
export const LANGUAGES = ['de', 'es', 'fr', 'it', 'nl', 'pt_BR', 'sv'];
