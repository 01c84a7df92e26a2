import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Comment, type Program, parseSync } from 'oxc-parser';
import { docstringBefore } from './docstrings.ts';

/** A name that a module exports: where it is declared, how, and its docstring. */
type Declaration = { kind: string; text: string; purpose: string; file: string };

/** An exported name with the heading of its part of the module. */
export type Export = { name: string; group: string; members: Export[]; declaration: Declaration | undefined };

type Statement = Program['body'][number];
type Module = { path: string; text: string; body: Statement[]; comments: Comment[] };

const known = new Map<string, Module>();

function load(path: string): Module {
  const loaded = known.get(path);
  if (loaded) return loaded;
  const text = readFileSync(path, 'utf8');
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const made = { path, text, body: program.body, comments };
  known.set(path, made);
  return made;
}

const nameOf = (node: { type: string; name?: string; value?: unknown }): string => node.name ?? String(node.value);

const sourceOf = (module: Module, specifier: string): string => join(dirname(module.path), specifier);

/** The text of a declaration that people read: without bodies of functions, and of a class its constructor and public members. */
function textOf(
  module: Module,
  declaration: NonNullable<Extract<Statement, { type: 'ExportNamedDeclaration' }>['declaration']>,
): string {
  const slice = (start: number, end: number): string => module.text.slice(start, end).trim();
  switch (declaration.type) {
    case 'FunctionDeclaration':
      return slice(declaration.start, declaration.body?.start ?? declaration.end);
    case 'VariableDeclaration': {
      const [first] = declaration.declarations;
      const value = first?.init;
      if (!first) return '';
      if (value?.type === 'ArrowFunctionExpression')
        return slice(declaration.start, value.body.start).replace(/\s*=>\s*\{?$/, '');
      if (first.id.type === 'Identifier' && first.id.typeAnnotation)
        return `const ${slice(first.id.start, first.id.end)}`;
      return slice(declaration.start, declaration.end);
    }
    case 'ClassDeclaration': {
      const members = declaration.body.body.flatMap((member) => {
        if (member.type === 'PropertyDefinition' && member.key.type !== 'PrivateIdentifier')
          return [`  ${slice(member.start, member.end)}`];
        if (member.type !== 'MethodDefinition' || member.key.type === 'PrivateIdentifier') return [];
        return [`  ${slice(member.start, member.value.body?.start ?? member.end)};`];
      });
      return [`${slice(declaration.start, declaration.body.start)} {`, ...members, '}'].join('\n');
    }
    default:
      return slice(declaration.start, declaration.end);
  }
}

const KINDS: Readonly<Record<string, string>> = {
  FunctionDeclaration: 'function',
  VariableDeclaration: 'constant',
  ClassDeclaration: 'class',
  TSTypeAliasDeclaration: 'type',
  TSInterfaceDeclaration: 'interface',
};

/** The declaration of a name in a module, or in the module that it takes the name from; undefined for names of other packages. */
function find(path: string, name: string): Declaration | undefined {
  const module = load(path);
  for (const statement of module.body) {
    if (statement.type === 'ImportDeclaration') {
      const found = statement.specifiers.find(({ local }) => local.name === name);
      if (found?.type === 'ImportSpecifier' && statement.source.value.startsWith('.'))
        return find(sourceOf(module, statement.source.value), nameOf(found.imported));
    }
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const { declaration, source, specifiers } = statement;
    const passed = specifiers.find(({ exported }) => nameOf(exported) === name);
    if (passed && source)
      return source.value.startsWith('.') ? find(sourceOf(module, source.value), nameOf(passed.local)) : undefined;
    if (passed && nameOf(passed.local) !== name) return find(path, nameOf(passed.local));
    if (!declaration || !namesOf(declaration).includes(name)) continue;
    const text = textOf(module, declaration);
    const kind = KINDS[declaration.type] ?? declaration.type;
    return {
      kind: kind === 'constant' && /^const \w+ = (?:async )?(?:<|\()/.test(text) ? 'function' : kind,
      text,
      purpose: docstringBefore(module.text, module.comments, statement.start),
      file: path,
    };
  }
  throw new Error(`${path} does not declare ${name}`);
}

function namesOf(declaration: {
  type: string;
  id?: unknown;
  declarations?: readonly { id: { type: string } }[];
}): string[] {
  const ids = declaration.declarations?.map(({ id }) => id) ?? [declaration.id];
  return ids.flatMap((id) =>
    typeof id === 'object' && id !== null && 'name' in id && typeof id.name === 'string' ? [id.name] : [],
  );
}

/** The heading of an export: the comment line above its part of the module, up to the first colon or full stop. */
function groupAt(module: Module, position: number): string {
  const heading = module.comments.findLast(
    ({ type, end, start, value }) =>
      type === 'Line' &&
      end <= position &&
      !value.includes('biome') &&
      module.text.lastIndexOf('\n\n', start) === start - 2,
  );
  return heading?.value.trim() ?? '';
}

/** All names that a module exports, in their order. A module that is exported under one name has its names as members. */
export function exportsOf(path: string): Export[] {
  const module = load(path);
  return module.body.flatMap((statement): Export[] => {
    const group = groupAt(module, statement.start);
    if (statement.type === 'ExportAllDeclaration') {
      if (!statement.exported) throw new Error(`${path} exports all of ${statement.source.value}`);
      const target = sourceOf(module, statement.source.value);
      const inside = load(target);
      const [first] = inside.comments;
      const text = first && inside.text.slice(0, first.start).trim() === '' ? first : undefined;
      const own = docstringBefore(module.text, module.comments, statement.start);
      const purpose = own === '' && text ? docstringBefore(inside.text, inside.comments, text.end) : own;
      const name = nameOf(statement.exported);
      const members = exportsOf(target).map((member) => ({ ...member, name: `${name}.${member.name}`, group }));
      return [{ name, group, members, declaration: { kind: 'group', text: '', purpose, file: target } }];
    }
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const names = statement.declaration
      ? namesOf(statement.declaration)
      : statement.specifiers.map(({ exported }) => nameOf(exported));
    return names.map((name) => ({ name, group, members: [], declaration: find(path, name) }));
  });
}
