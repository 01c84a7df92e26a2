/** Reads a folder of Markdown for `canopy import`: texts with front matter, and the pictures and files beside them. */
export { markdownReader, markdownReader as default } from './reader.ts';
