import { isJsonObject } from '../../lib/json-object.ts';
import { ConfigError } from '../configuration/environment/setting-names.ts';
import type { Feature } from './feature.ts';
import { managePageProblem } from './manage-page.ts';

type Kind = 'text' | 'list' | 'object' | 'function' | 'folder' | 'messages';

/** The form of each key of a feature. */
const FORMS: Record<keyof Feature, Kind> = {
  name: 'text',
  services: 'list',
  components: 'list',
  representation: 'list',
  actionConditions: 'list',
  panels: 'list',
  vocabularies: 'list',
  indexes: 'list',
  columns: 'list',
  loadedColumns: 'list',
  searchSources: 'list',
  fieldKinds: 'list',
  blocks: 'list',
  jobActions: 'list',
  schedules: 'list',
  mails: 'list',
  events: 'object',
  steps: 'object',
  ruleConditions: 'list',
  ruleActions: 'list',
  authenticators: 'list',
  previews: 'list',
  secondFactors: 'list',
  loginOptions: 'list',
  managePages: 'list',
  healthChecks: 'list',
  upgradeSteps: 'list',
  messages: 'messages',
  guardConditions: 'list',
  permissions: 'object',
  profile: 'object',
  profileTables: 'list',
  migrations: 'folder',
  tables: 'list',
  commands: 'list',
  readers: 'list',
  siteChecks: 'list',
  hooks: 'object',
  subscribe: 'function',
  start: 'function',
};

const NOUNS: Record<Kind, string> = {
  text: 'a text',
  list: 'a list of objects',
  object: 'an object',
  function: 'a function',
  folder: 'the path or URL of a folder',
  messages: 'the path or URL of a folder, or an object of translations by language',
};

const NAME = /^[A-Za-z0-9@][A-Za-z0-9@._/-]{0,99}$/;
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const CONTEXTS = ['content', 'folderish', 'site'];

function hasForm(value: unknown, kind: Kind): boolean {
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'list')
    return Array.isArray(value) && value.every((item) => isJsonObject(item) || typeof item === 'function');
  if (kind === 'object') return isJsonObject(value);
  if (kind === 'function') return typeof value === 'function';
  return typeof value === 'string' || value instanceof URL || (kind === 'messages' && isJsonObject(value));
}

/** Returns the problem of a service; undefined when it has all required parts. */
function serviceProblem(service: unknown): string | undefined {
  if (!isJsonObject(service)) return 'must be an object';
  if (typeof service.name !== 'string') return 'must have a name';
  const name = `"${service.name}"`;
  if (!METHODS.includes(String(service.method))) return `${name} must have a method: ${METHODS.join(', ')}`;
  if (!CONTEXTS.includes(String(service.context))) return `${name} must have a context: ${CONTEXTS.join(', ')}`;
  if (service.permission !== null && typeof service.permission !== 'string')
    return `${name} must have a permission, or null for none`;
  if (typeof service.summary !== 'string') return `${name} must have a summary`;
  if (!isJsonObject(service.responses)) return `${name} must have responses`;
  return typeof service.run === 'function' ? undefined : `${name} must have a function run`;
}

/** Returns the problem of a table; undefined when it declares how its changes invalidate cached responses. */
function tableProblem(table: unknown): string | undefined {
  if (!isJsonObject(table) || typeof table.name !== 'string') return 'must have a name';
  const { changes } = table;
  if (changes === 'anything') return undefined;
  const said = isJsonObject(changes) ? Object.entries(changes) : [];
  const [[kind, value] = []] = said;
  if (said.length === 1 && ['object', 'noted', 'unread'].includes(String(kind)) && typeof value === 'string')
    return undefined;
  return `"${table.name}" must say how its changes end responses that are kept: changes: 'anything', { object: '<column>' }, { noted: '<why>' } or { unread: '<why>' }`;
}

/** Names that shells take without quotes. */
const COMMAND_NAME = /^[a-z][a-z0-9-]{0,40}(?: [a-z][a-z0-9-]{0,40})?$/;
const OPTION_NAME = /^[a-z][a-z0-9-]{0,40}$/;

/** Words that are reserved for the command line itself. */
const RESERVED_COMMANDS = ['help', 'version', 'completion'];

/** Returns the problem of a command; undefined for a correct one. */
function commandProblem(command: unknown): string | undefined {
  if (!isJsonObject(command) || typeof command.name !== 'string' || typeof command.summary !== 'string')
    return 'must have a name and a summary';
  const { name, run, example, options } = command;
  if (RESERVED_COMMANDS.includes(name.split(' ')[0] ?? ''))
    return `"${name}" must have another name, which the program does not have`;
  if (!COMMAND_NAME.test(name)) return `"${name}" must have a name of one or two words of small letters, digits and -`;
  if (typeof run !== 'function') return `"${name}" must have a function run`;
  if (typeof example !== 'string') return `"${name}" must have an example`;
  const wrong = Object.entries(isJsonObject(options) ? options : {}).find(
    ([option, value]) => !OPTION_NAME.test(option) || !isJsonObject(value) || typeof value.description !== 'string',
  );
  return (
    wrong && `"${name}" must have options of small letters, digits and -, each with a description: not "${wrong[0]}"`
  );
}

/** Says if a value is an object with the name of a feature; `checkFeature` checks the rest. */
export const isNamedFeature = (value: unknown): value is { name: string } =>
  isJsonObject(value) && typeof value.name === 'string' && NAME.test(value.name);

/**
 * Checks the form of a feature from outside, whose author may not have used a compiler. `who` begins the messages.
 * @throws ConfigError for unknown keys, and for values of another form
 */
export function checkFeature(feature: { name: string }, who: string): Feature {
  const unknown = Object.keys(feature).find((key) => !Object.hasOwn(FORMS, key));
  if (unknown !== undefined) throw new ConfigError(`${who} has an unknown key "${unknown}".`);
  const given: Record<string, unknown> = feature;
  for (const [key, kind] of Object.entries(FORMS))
    if (given[key] !== undefined && !hasForm(given[key], kind))
      throw new ConfigError(`${who}: "${key}" must be ${NOUNS[kind]}.`);
  const { services = [], commands = [], tables = [], managePages = [] }: Feature = feature;
  const problem = services.map(serviceProblem).find((text) => text !== undefined);
  if (problem !== undefined) throw new ConfigError(`${who}: A service ${problem}.`);
  const wrong = commands.map(commandProblem).find((text) => text !== undefined);
  if (wrong !== undefined) throw new ConfigError(`${who}: A command ${wrong}.`);
  const broken = tables.map(tableProblem).find((text) => text !== undefined);
  if (broken !== undefined) throw new ConfigError(`${who}: A table ${broken}.`);
  const lost = managePages.map(managePageProblem).find((text) => text !== undefined);
  if (lost !== undefined) throw new ConfigError(`${who}: A page of "managePages" ${lost}.`);
  return feature;
}
