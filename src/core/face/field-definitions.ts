/** Definitions of fields: functions that parse them, and their permitted contents. */
export { contentSetting, isReservedName } from '../types/field-definition/definition-problem.ts';
export { parseProperty as parse } from '../types/field-definition/parse-property.ts';
export { parseDescription, parseTitle } from '../types/field-definition/settings.ts';
