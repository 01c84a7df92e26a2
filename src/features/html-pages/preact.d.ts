/**
 * The parts of `preact`, `htm` and `preact-render-to-string` that the pages use (`paths` in tsconfig.json). The types of the packages would add the
 * types of browsers to the whole program.
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

type MakeElement = (type: unknown, props: object | null, ...children: readonly Html[]) => Html;

export const h: MakeElement;

export const renderToString: (part: Html) => string;

declare const htm: {
  bind(make: MakeElement): (strings: TemplateStringsArray, ...values: readonly unknown[]) => Html;
};
export default htm;
