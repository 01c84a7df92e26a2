/** Definitions of fields: how they are parsed, and what they may contain. */
export { contentSetting, isReservedName } from '../types/field-definition/definition-problem.ts';
export { parseProperty as parse } from '../types/field-definition/parse-property.ts';
export { parseDescription, parseTitle } from '../types/field-definition/settings.ts';
