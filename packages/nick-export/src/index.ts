/** Reads profiles and exports of Nick for `canopy import`, one object at a time. */
export { nickReader, nickReader as default } from './reader.ts';
