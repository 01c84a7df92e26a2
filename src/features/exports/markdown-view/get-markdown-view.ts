import { defineDocumentView } from '../define-document-view.ts';
import { exportMarkdown } from '../export-markdown.ts';

/** GET `markdown_view`: the page as Markdown. */
export const getMarkdownView = defineDocumentView({
  name: 'markdown_view',
  summary: 'The blocks of a content object as a Markdown document.',
  description: 'The document.',
  mediaType: 'text/markdown',
  extension: 'md',
  make: async (context) => ({ text: await exportMarkdown(context, context.resolved) }),
});
