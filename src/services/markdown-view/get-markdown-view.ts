import { VIEW } from '../../security/permissions.ts';
import { exportMarkdown } from '../../serializer/export-markdown.ts';
import { DispositionQuery } from '../download/disposition.ts';
import { exportHeaders } from '../export/export-headers.ts';
import { defineService } from '../service.ts';

/** GET `markdown_view`: the page as Markdown. */
export const getMarkdownView = defineService({
  name: 'markdown_view',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'The blocks of a content object as a Markdown document.',
  query: DispositionQuery,
  responses: { 200: { description: 'The document.', contentType: 'text/markdown' } },
  run: async (call) => ({
    status: 200,
    headers: exportHeaders(call, `${call.located.object.name}.md`),
    contentType: 'text/markdown; charset=utf-8',
    text: await exportMarkdown(call, call.located),
  }),
});
