/** Reads exports of WordPress (WXR) for `canopy import`, one item at a time. */
export { wordpressReader, wordpressReader as default } from './reader.ts';
