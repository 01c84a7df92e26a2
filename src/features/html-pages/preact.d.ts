/**
 * The parts of `htm/preact` and `preact-render-to-string` that the pages use (`paths` in tsconfig.json). The types of the packages bring
 * those of browsers with them, for the whole program.
 */

/** A part of a page: an element, text, nothing, or several of them. */
export type Html =
  | { readonly type: unknown; readonly props: object }
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Html[];

export const html: (strings: TemplateStringsArray, ...values: readonly unknown[]) => Html;

export const renderToString: (part: Html) => string;
