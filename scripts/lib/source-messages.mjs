// The messages in the source: texts for people, found by their place in the syntax.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Files whose texts stay in English: the command line, reports, monitoring, prompts of language models and what tools say to them, malformed requests. */
const NOT_FOR_VISITORS =
  /^src\/(?:app|database|core\/(?:cache|search|http|files\/(?:blobs|images)|serializer|services\/(?:openapi|querystring-search|querysources|search|sources|vocabularies))|features\/(?:backup|import|mcp\/tools|monitoring|replace|site-export|upgrades))\/|^src\/(?:features\/(?:ai\/prompt|mcp\/(?:json-rpc|results|serve|site-requests)|add-ons\/remains|proposals\/(?:allowed-writes|hand-in|preview))|core\/services\/(?:batch|batch-references|batch-requests|shared-writes))\.ts$/;

/**
 * Messages to the programmers of clients, which name a member of the body or a parameter of the query, stay in English.
 * So do those that are built from parts of sentences, which other languages build differently.
 */
const FOR_PROGRAMMERS = [
  /^(?:"[a-z_]+"|Invalid |Property '|Missing |[a-z]|Give "|Send new_password|Required query parameter)/,
  /^Must be an? (?:map|object|list|token|string or)|^Must be the (?:kind|name of a (?:vocabulary|widget))|^Must have the form filenameb64/,
  /^(?:Blocks|HTML elements|Is) (?:are )?nested|^Bodies of type|^Is sent under|^Each choice needs|^Every block must|^Choices (?:are|must)/,
  /^The (?:HTML|UID|address|body|container|content of "translation_of|content-type|data|encoding|factory|files of the profile|html|only form|order of "sort|range|value of "\{role|vocabulary)\b/,
  /^There is no(?: such factory|thing to change|thing with the restore_id)|^(?:What was inside|The folder \{\w+\} is gone)/,
  /^Only managers may choose the UID|^Change your own password with POST|^Login and password must be|^Could not resolve/,
  /^(?:At most \{maxUids\}|A field of the kind|Must be an object\. DELETE|Publishing date; null|Expiry date; null)/,
  /^(?:Installs an add-on|Takes back what|Brings an add-on to|Dry run(?: selected|: transaction)|Given up\.|Checked in\.)|^"\{\w+\}" must be a string/,
  /^(?:Send a button|Successfully (?:applied|assigned) |The property "t|There is no type "|TALES |The type stays|Is no value of)/,
  /^(?:Its response has a secret|The session counts no more|Wrong passwords are counted|The bytes of an upload)/,
  /\{(?:what|what2|purpose|doing|row|taken|kind2|indexKinds)\}/,
];

/** Functions whose first texts are messages: `say(…)`, and `message(…)`, which only marks one. */
const MARKERS = new Set(['say', 'message', 'translate']);

/**
 * Errors for clients, with the position of the message among their arguments. Other errors
 * are only logged.
 */
const ERRORS = new Map([
  ['BadGateway', 0],
  ['BadRequest', 0],
  ['ClientError', 2],
  ['Conflict', 0],
  ['FieldError', 0],
  ['Forbidden', 0],
  ['GatewayTimeout', 0],
  ['InsufficientStorage', 0],
  ['MethodNotAllowed', 0],
  ['ModelFailed', 0],
  ['NotFound', 1],
  ['ServiceUnavailable', 0],
  ['TooManyRequests', 0],
  ['Unauthorized', 0],
]);

/** Keys of texts for people who read the OpenAPI document, and of what is sent as an example. */
const NOT_SAID = new Set(['summary', 'description', 'notes', 'examples', 'example']);

const LOGS = new Set(['log', 'console', 'stdout', 'stderr']);

/** Says if a text looks like a sentence: it begins like one, has a second word and ends with a mark. */
const isSentence = (text) => /^["'A-Z{]/.test(text) && /\s/.test(text) && /[.!?]$/.test(text);
const hasWords = (text) => /[a-z]{2}.*\s|^[A-Z][a-z]+$/.test(text);

/** Functions whose names say nothing about their argument. */
const BUILTINS = new Set(['JSON', 'Object', 'Math', 'String', 'Number']);

/** The name of a value in an expression: `name` for `type.name`, `names` for `names.join(', ')`. */
function calledIn(node) {
  switch (node?.type) {
    case 'Identifier':
    case 'PrivateIdentifier':
      return node.name;
    case 'MemberExpression':
      if (node.computed) return calledIn(node.object);
      return node.property.name === 'length' ? calledIn(node.object) : node.property.name;
    case 'CallExpression': {
      const { callee, arguments: given } = node;
      if (callee.type !== 'MemberExpression') return calledIn(given[0] ?? callee);
      return calledIn(BUILTINS.has(callee.object.name) ? given[0] : callee.object);
    }
    case 'ArrayExpression':
      return calledIn(node.elements[0]);
    case 'SpreadElement':
    case 'UnaryExpression':
      return calledIn(node.argument);
    case 'BinaryExpression':
    case 'LogicalExpression':
      return calledIn(node.left);
    case 'ConditionalExpression':
      return calledIn(node.test);
    case 'ChainExpression':
      return calledIn(node.expression);
    default:
      return undefined;
  }
}

/** `MAX_NAME_LENGTH` is `maxNameLength` as a placeholder. */
const asPlaceholder = (name) =>
  (/^[A-Z0-9_]+$/.test(name) ? name.toLowerCase().replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase()) : name)
    .replace(/[^A-Za-z0-9]/g, '')
    .replace(/^./, (letter) => letter.toLowerCase());

/** The message of a template: its expressions become placeholders, which are named after the values. */
function templateMessage(node, source) {
  const names = new Map();
  let text = '';
  for (const [index, quasi] of node.quasis.entries()) {
    text += quasi.value.cooked;
    const expression = node.expressions[index];
    if (!expression) continue;
    const code = source.slice(expression.start, expression.end);
    if (!names.has(code)) {
      const wanted = asPlaceholder(calledIn(expression) ?? 'value');
      const taken = [...names.values()].filter((name) => name.replace(/\d+$/, '') === wanted).length;
      names.set(code, taken === 0 ? wanted : `${wanted}${taken + 1}`);
    }
    text += `{${names.get(code)}}`;
  }
  return text;
}

const saidByError = ({ callee, arguments: given }, argument) =>
  ERRORS.has(callee.name) && given[ERRORS.get(callee.name)] === argument;

/** How a text is used: `said` for a message, `unsure` where only its form can decide, `silent` for a text that nobody sees. */
function useOf(text, parents) {
  let inside = text;
  for (const node of parents.toReversed()) {
    if (node.type === 'Property') {
      const key = node.key.name ?? node.key.value;
      if (NOT_SAID.has(key)) return 'silent';
      // The keywords of schemas with the text of what does not fit.
      if (key === 'message' || key === 'reject') return 'said';
    }
    if (node.type === 'NewExpression') return saidByError(node, inside) ? 'said' : 'silent';
    if (node.type === 'CallExpression') {
      const { callee } = node;
      const called = callee.property?.name ?? callee.name ?? '';
      const owner = callee.object?.name ?? callee.object?.property?.name;
      // Schemas describe what clients send, for the OpenAPI document.
      if (LOGS.has(owner) || owner === 'Type') return 'silent';
      if (MARKERS.has(called)) return 'marked';
      if (/^#?(?:report|reject|refuse)/.test(called)) return 'said';
    }
    if (/Function/.test(node.type)) return 'unsure';
    inside = node;
  }
  return 'unsure';
}

/** Says if an object describes a field or a fieldset, whose title and description appear in forms. */
const isForm = (node) =>
  node?.type === 'ObjectExpression' &&
  node.properties.some(({ key }) => ['factory', 'fields'].includes(key?.name)) &&
  node.properties.some(({ key }) => key?.name === 'title');

function isMessage(node, text, parents) {
  const parent = parents.at(-1);
  if (parent?.type === 'Property' && ['title', 'description'].includes(parent.key.name) && isForm(parents.at(-2)))
    return text !== '';
  if (FOR_PROGRAMMERS.some((pattern) => pattern.test(text))) return false;
  const use = useOf(node, parents);
  if (use === 'marked') return /[A-Za-z]/.test(text) && !/^[a-z-]{2,5}$/.test(text);
  if (use === 'said') return hasWords(text);
  return use === 'unsure' && isSentence(text);
}

function visit(node, parents, found) {
  if (!node || typeof node.type !== 'string') return;
  if (node.type.startsWith('TS') && node.type !== 'TSAsExpression' && node.type !== 'TSSatisfiesExpression') return;
  if (/^(?:Import|Export(?:All|Named)Declaration$)/.test(node.type) && node.source) return;
  if (node.type === 'Literal' && typeof node.value === 'string') found(node, node.value, parents);
  if (node.type === 'TemplateLiteral') found(node, undefined, parents);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'type' || (node.type === 'Property' && key === 'key')) continue;
    for (const child of Array.isArray(value) ? value : [value]) visit(child, [...parents, node], found);
  }
}

/** The messages in the text of a source file. */
function messagesIn(path, source) {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const messages = new Set();
  visit(program, [], (node, literal, parents) => {
    const text = literal ?? templateMessage(node, source);
    if (isMessage(node, text, parents) && text.replace(/\{\w+\}/g, '').trim().length > 3) messages.add(text);
  });
  return messages;
}

/** The messages in the files of a folder below `root` whose names end with `ending`, each with the files that have it. */
function messagesBelow(root, folder, ending) {
  const messages = new Map();
  const start = join(root, folder);
  if (!existsSync(start)) return messages;
  const files = readdirSync(start, { recursive: true, encoding: 'utf8' }).filter((name) => ending.test(name));
  for (const name of files.sort()) {
    const path = relative(root, join(start, name)).split(sep).join('/');
    if (NOT_FOR_VISITORS.test(path)) continue;
    for (const text of messagesIn(path, readFileSync(join(root, path), 'utf8')))
      messages.set(text, [...(messages.get(text) ?? []), path]);
  }
  return messages;
}

/** The messages of the page for those who run a site. */
export const pageMessages = (root) => messagesBelow(root, 'packages/manage/src', /\.tsx?$/);

/** The messages in the source of a package, and in that of the page that it serves, each with the files that have it. */
export function sourceMessages(root) {
  const messages = messagesBelow(root, 'src', /\.ts$/);
  for (const [text, paths] of pageMessages(root)) messages.set(text, [...(messages.get(text) ?? []), ...paths]);
  return messages;
}
