import type { Readable } from 'node:stream';
import type { StaticDecode } from 'typebox';
import { contentPath, defineService, downloads, ok, type RequestContext, type Service, VIEW } from '#core';
import { contentDisposition } from '#lib/http/http-headers';
import { calendarChunks } from './calendar.ts';
import { Export, exportObject } from './export-object.ts';
import { rssChunks } from './rss.ts';

/**
 * Headers of a document that is made of content under a file name. It depends on the caller, so no shared cache may store it for a caller who is
 * logged in.
 */
function exportHeaders(
  { query, caller }: RequestContext<object, StaticDecode<typeof downloads.DispositionQuery>, object>,
  filename: string,
): Record<string, string> {
  return {
    'Content-Disposition': contentDisposition(query.disposition === 'inline' ? 'inline' : 'attachment', filename),
    'Cache-Control': caller.id === null ? 'no-cache' : 'private, no-cache',
    Vary: 'Authorization, Cookie',
  };
}

/** Longest path that becomes a file name, in characters; longer names are cut, but never the id. */
const MAX_NAME_LENGTH = 190;

/** The path with dots, as Nick names exports: `news.article.json`, `_root.json`. */
function exportName(path: string): string {
  const names = contentPath.names(path);
  const dotted = names.join('.');
  return `${dotted.length > MAX_NAME_LENGTH ? names.at(-1) : dotted || '_root'}.json`;
}

/** GET `@export`: the export representation. */
const getExport = defineService({
  name: '@export',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'The content object in the form in which sites are written down.',
  query: downloads.DispositionQuery,
  responses: {
    200: {
      description: 'The fields of the content, without what belongs to the API only.',
      schema: Export,
    },
  },
  async run(context) {
    const { resolved } = context;
    return ok(await exportObject(context, resolved), exportHeaders(context, exportName(resolved.object.path)));
  },
});

/** A view that makes a document of content, for callers who may view it. */
type DocumentView = {
  name: string;
  summary: string;
  /** The description of the response. */
  description: string;
  /** The media type of the document, which is text in UTF-8. */
  mediaType: string;
  /** The end of the file name, after the name of the content. */
  extension: string;
  /** The document itself. */
  make(context: RequestContext): Promise<{ text: string } | { stream: Readable }>;
};

/** Declares a view that GET on any content downloads as a document. */
const defineDocumentView = ({ name, summary, description, mediaType, extension, make }: DocumentView): Service =>
  defineService({
    name,
    method: 'GET',
    context: 'content',
    permission: VIEW,
    summary,
    query: downloads.DispositionQuery,
    responses: { 200: { description, contentType: mediaType } },
    run: async (context) => ({
      status: 200,
      headers: exportHeaders(context, `${context.resolved.object.name}.${extension}`),
      contentType: `${mediaType}; charset=utf-8`,
      ...(await make(context)),
    }),
  });

/** GET `ics_view`: the calendar of an event, or of all events below other content. */
const getIcsView = defineDocumentView({
  name: 'ics_view',
  summary: 'An iCalendar document: of an event that event, else every event below that the caller may view.',
  description: 'The calendar.',
  mediaType: 'text/calendar',
  extension: 'ics',
  make: async (context) => ({
    stream: downloads.loggedStream(context.kernel.log, () => calendarChunks(context, context.resolved)),
  }),
});

/** GET `markdown_view`: the page as Markdown. */
const getMarkdownView = defineDocumentView({
  name: 'markdown_view',
  summary: 'The blocks of a content object as a Markdown document.',
  description: 'The document.',
  mediaType: 'text/markdown',
  extension: 'md',
  async make(context) {
    // The modules that read HTML and write Markdown are a tenth of the loaded program, and nothing else needs them.
    const { exportMarkdown } = await import('./markdown.ts');
    return { text: await exportMarkdown(context, context.resolved) };
  },
});

/** GET `rss_view`: the feed of everything below. */
const getRssView = defineDocumentView({
  name: 'rss_view',
  summary: 'An RSS 2.0 document: the content object as channel, everything below that the caller may view as items.',
  description: 'The feed.',
  mediaType: 'application/rss+xml',
  extension: 'rss',
  make: async (context) => ({
    stream: downloads.loggedStream(context.kernel.log, () => rssChunks(context, context.resolved)),
  }),
});

/** The endpoints of content in other forms. */
export const exportServices: Service[] = [getExport, getIcsView, getMarkdownView, getRssView];
