/** HTML as values: strings in a template are text and cannot become markup. */

import htm from 'htm';
import { type Html, h } from 'preact';
import { renderToString } from 'preact-render-to-string';

export type { Html };

/** Makes a part of a page from a template. */
export const html = htm.bind(h);

/** The text of a whole document. */
export const documentOf = (language: string, head: Html, body: Html): string =>
  `<!doctype html>\n${renderToString(html`<html lang=${language}><head>${head}</head>${body}</html>`)}`;

/** A part that is HTML already, and safe. */
export const safePart = (source: string, className: string): Html =>
  html`<div class=${className} dangerouslySetInnerHTML=${{ __html: source }} />`;
