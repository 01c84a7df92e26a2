import { statSync } from 'node:fs';
import { defineReader, ExportError } from '@canopy-server/site-reader';
import { openMarkdown } from './source.ts';
import { hasMarkdown } from './walk.ts';

/** The reader of folders of Markdown. */
export const markdownReader = defineReader({
  name: 'markdown',
  title: 'a folder of Markdown',
  looksFor: 'files .md, .markdown or .mdx in the folder or two levels below it',
  options: {
    code: {
      description: 'Code becomes blocks of HTML, which every front end shows, or the block codeBlock.',
      choices: ['html', 'block'],
    },
  },
  recognises: hasMarkdown,
  async open(place, options) {
    if (!statSync(place, { throwIfNoEntry: false })?.isDirectory())
      throw new ExportError(`${place} is no folder. Name the folder that the texts are in.`);
    return openMarkdown(place, options);
  },
});
