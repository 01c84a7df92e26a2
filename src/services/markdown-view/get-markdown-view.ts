import { exportMarkdown } from '../../serializer/export-markdown.ts';
import { defineDocumentView } from '../export/define-document-view.ts';

/** GET `markdown_view`: the page as Markdown. */
export const getMarkdownView = defineDocumentView({
  name: 'markdown_view',
  summary: 'The blocks of a content object as a Markdown document.',
  description: 'The document.',
  mediaType: 'text/markdown',
  extension: 'md',
  make: async (call) => ({ text: await exportMarkdown(call, call.located) }),
});
