import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { FEATURES } from '../../../src/app/features.ts';
import { isJsonObject } from '../../../src/lib/json-object.ts';
import { packageFolder } from '../../../src/lib/process/process.ts';
import { docstringBefore } from './docstrings.ts';
import { capitalised, code, page, plain } from './markdown.ts';

/** The declared type of an event: its text and its docstring. */
type Declared = { type: string; purpose: string };

/** The text of a type without comments, in one line. */
const inOneLine = (text: string): string =>
  text
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The events that a source declares: members of the types whose names end with `Events`. */
function declaredIn(path: string): [string, Declared][] {
  const text = readFileSync(path, 'utf8');
  if (!/^export type \w+Events = \{/m.test(text)) return [];
  const { program, comments } = parseSync(path, text);
  return program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null;
    if (declaration?.type !== 'TSTypeAliasDeclaration' || !declaration.id.name.endsWith('Events')) return [];
    if (declaration.typeAnnotation.type !== 'TSTypeLiteral') return [];
    return declaration.typeAnnotation.members.flatMap((member): [string, Declared][] => {
      if (member.type !== 'TSPropertySignature' || member.key.type !== 'Literal' || !member.typeAnnotation) return [];
      const { start, end } = member.typeAnnotation.typeAnnotation;
      const purpose = docstringBefore(text, comments, member.start);
      return [[String(member.key.value), { type: inOneLine(text.slice(start, end)), purpose }]];
    });
  });
}

/** All declared events by their names. */
function declaredEvents(): Map<string, Declared> {
  const src = packageFolder('src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => /events\.ts$/.test(name));
  return new Map(files.sort().flatMap((name) => declaredIn(join(src, name))));
}

/** How an event is recorded. */
function recordOf(record: unknown): string {
  if (!isJsonObject(record)) return '';
  if ('steps' in record) return 'Undo and the audit log record it.';
  if ('entry' in record) return 'The audit log records it.';
  return 'Nothing records it.';
}

/** The page about events. */
export function eventsPage(): string {
  const declared = declaredEvents();
  const lines = FEATURES.flatMap(({ name: feature, events = {} }) =>
    Object.entries(events).flatMap(([name, { record, rules, caches }]) => {
      const { type, purpose } = declared.get(name) ?? { type: '', purpose: '' };
      if (type === '') throw new Error(`The event ${name} has no declared type.`);
      const follows = [
        recordOf(record),
        rules === null ? '' : 'Content rules follow on it.',
        caches === null ? '' : 'Caches outside learn of it.',
      ];
      return [
        `## ${name}`,
        '',
        ...(purpose === '' ? [] : [plain(purpose), '']),
        ...['```ts no-test', type, '```', ''],
        `${capitalised(feature)}. ${follows.filter(Boolean).join(' ')}`.trim(),
        '',
      ];
    }),
  );
  return page(
    'Events',
    [
      `A feature subscribes with ${code("kernel.events.on('content.created', …)")} in \`subscribe\`: its function runs in the transaction of the change, and`,
      'what it throws undoes the change. The data of an event are shown as its type; [Add-ons](../add-ons.md#events-of-its-own) says how to add one.',
    ],
    lines,
  );
}
