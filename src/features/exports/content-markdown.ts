/** Content as Markdown for programs and people, with the data of its JSON for the same caller. */

import {
  type ContentType,
  type Field,
  type FieldKind,
  markdown,
  type RenderContext,
  type RequestContext,
  say,
  stateOf,
} from '#core';
import { listAt, objectAt, textAt } from '#lib/json-members';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { type FrontMatterValue, frontMatter } from './front-matter.ts';
import { contentMarkdown } from './markdown.ts';
import { writeMarkdown } from './markdown-writer.ts';

/** A field of content with its kind and its served value, which is not null. */
type Valued = { field: Field; kind: FieldKind; value: unknown };

/** Fields that the front matter has under another name, or that readers of a document do not need. */
const ELSEWHERE = new Set(['title', 'description', 'subjects', 'language', 'creators', 'created', 'modified']);

function valuesOf({ kernel }: RenderContext, type: ContentType | undefined, content: JsonObject): Valued[] {
  return (type?.fields ?? []).flatMap((field) => {
    const value = content[field.name];
    return value === undefined || value === null || ELSEWHERE.has(field.name)
      ? []
      : [{ field, kind: kernel.fieldKinds.of(field), value }];
  });
}

/** The texts of a list of texts or of terms. */
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [])
    .map((item: unknown) => (isJsonObject(item) ? textAt(item, 'token') : item))
    .filter((text) => typeof text === 'string');

const linkTo = (item: JsonObject): FrontMatterValue => ({ title: textAt(item, 'title'), url: textAt(item, '@id') });

/** The links of a field: to other content, or to a file. */
function fieldLinks({ kind, value }: Valued): FrontMatterValue | undefined {
  if (kind.relates === 'many') return (Array.isArray(value) ? value.filter(isJsonObject) : []).map(linkTo);
  if (!isJsonObject(value)) return undefined;
  if (kind.relates === 'one') return linkTo(value);
  return kind.holds ? textAt(value, 'download') : undefined;
}

/** The addresses of translations, by language. */
const translationsOf = (content: JsonObject): FrontMatterValue =>
  Object.fromEntries(
    listAt(objectAt(objectAt(content, '@components'), 'translations'), 'items').map((item) => [
      textAt(item, 'language'),
      textAt(item, '@id'),
    ]),
  );

/** The address of another batch of the children, as Markdown. */
function batchUrl(content: JsonObject, name: 'next' | 'prev'): string {
  const address = textAt(objectAt(content, 'batching'), name);
  const mark = address.indexOf('?');
  return mark === -1 ? address : `${address.slice(0, mark)}/@markdown${address.slice(mark)}`;
}

function headOf({ site }: RenderContext, content: JsonObject, values: readonly Valued[]): string {
  const type = textAt(content, '@type');
  const reviewState = textAt(content, 'review_state');
  const dates = values.filter(({ kind, value }) => kind.indexes?.includes('date') && typeof value === 'string');
  return frontMatter({
    type,
    title: textAt(content, 'title'),
    description: textAt(content, 'description'),
    url: textAt(content, '@id'),
    uid: textAt(content, 'UID'),
    language: textAt(objectAt(content, 'language'), 'token') || textAt(content, 'language'),
    state: reviewState === '' ? '' : (stateOf(site, { type, reviewState })?.state.title ?? reviewState),
    created: textAt(content, 'created'),
    modified: textAt(content, 'modified'),
    ...Object.fromEntries(dates.map(({ field, value }) => [field.name, String(value)])),
    tags: textsOf(content.subjects),
    creators: textsOf(content.creators),
    ...(typeof content.items_total === 'number' ? { items_total: content.items_total } : {}),
    links: {
      parent: textAt(content.parent, '@id'),
      target: textAt(content, 'targetUrl') || textAt(content, 'remoteUrl'),
      ...Object.fromEntries(values.map((valued) => [valued.field.name, fieldLinks(valued)])),
      translations: translationsOf(content),
      previous: batchUrl(content, 'prev'),
      next: batchUrl(content, 'next'),
    },
  });
}

/** The pictures and files of content, for its document without blocks. */
const filesOf = (values: readonly Valued[], title: string): markdown.BlockContent[] =>
  values.flatMap(({ kind, value }) => {
    const url = textAt(value, 'download');
    if (kind.holds === undefined || url === '') return [];
    const name = textAt(value, 'filename') || url;
    return markdown.paragraph(
      kind.holds === 'image' ? markdown.image(title, url) : markdown.link(markdown.inlineText(name), url),
    );
  });

/** Content in a list: its title as a link, with its description. */
function listedLink(item: JsonObject): markdown.BlockContent[] {
  const url = textAt(item, '@id');
  const description = textAt(item, 'description');
  const content = [
    ...markdown.link(markdown.inlineText(textAt(item, 'title') || url), url),
    ...(description === '' ? [] : markdown.inlineText(`: ${description.replace(/\s+/g, ' ')}`)),
  ];
  return markdown.paragraph(content);
}

/** A list of links. */
export const linkList = (items: readonly JsonObject[]): markdown.BlockContent[] =>
  items.length === 0
    ? []
    : [
        {
          type: 'list',
          ordered: false,
          spread: false,
          children: items.map((item) => ({ type: 'listItem', spread: false, children: listedLink(item) })),
        },
      ];

/** The children of a container, or the results of a collection, as links. */
function childrenOf({ site }: RenderContext, content: JsonObject): string {
  const list = linkList(listAt(content, 'items'));
  return list.length === 0
    ? ''
    : writeMarkdown([...markdown.heading(2, markdown.inlineText(say(site, 'Contents'))), ...list]);
}

/** The whole document of content: front matter, blocks or texts, and links to its children. `content` is its representation. */
export function markdownDocument(context: RequestContext<object, object, object>, content: JsonObject): string {
  const { object } = context.resolved;
  const type = context.site.types.get(object.type);
  const values = valuesOf(context, type, content);
  const exported = Object.fromEntries(
    values.map(({ field, kind, value }) => [field.name, kind.exported?.(value, field) ?? value]),
  );
  const { title, description } = content;
  const body = contentMarkdown(context, {
    object,
    values: { ...exported, title, description },
    rest: filesOf(values, textAt(content, 'title')),
  });
  const children = childrenOf(context, content);
  return headOf(context, content, values) + body + (body === '' || children === '' ? children : `\n${children}`);
}
