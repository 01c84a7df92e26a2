import { createElement, Fragment, type ReactNode } from 'react';
import { type Block, pathOf, type SlateNode } from '../lib/canopy.ts';

/** Elements of rich text by the type of their node; others are shown as text. */
const TAGS = ['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'strong', 'em', 'del', 'sub', 'sup', 'code', 'blockquote'];

function slate({ text, type = '', data, children = [] }: SlateNode): ReactNode {
  if (text !== undefined) return text;
  const inside = children.map((child, at) => createElement(Fragment, { key: at }, slate(child)));
  if (type === 'link') return <a href={pathOf(data?.url ?? '')}>{inside}</a>;
  return createElement(TAGS.includes(type) ? type : 'span', {}, inside);
}

/** HTML of Canopy, which has taken out what a browser would run. */
export const Html = ({ html }: { html: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server cleans it
  <div dangerouslySetInnerHTML={{ __html: html }} />
);

/** A block: rich text or a picture. Others are not shown. */
export function BlockView({ block: { '@type': type, value = [], text, url, alt = '' } }: { block: Block }) {
  if (type === 'slate') return value.map((node, at) => createElement(Fragment, { key: at }, slate(node)));
  if (type === 'text') return <Html html={text?.data ?? ''} />;
  // biome-ignore lint/performance/noImgElement: Canopy makes the sizes
  if (type === 'image' && url) return <img src={url.includes('/@@') ? url : `${url}/@@images/image/large`} alt={alt} />;
  return null;
}
