import { createElement, Fragment, type ReactNode } from 'react';
import { pathOf, pictureProps } from '../lib/canopy.ts';
import type { Block, SlateNode } from '../lib/canopy-types.ts';
import { canopy } from '../lib/client.ts';

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

/** A block: rich text, HTML or a picture. Others are not shown. */
export function BlockView({ block }: { block: Block }) {
  if (canopy.isBlock(block, 'slate'))
    return block.value?.map((node, at) => createElement(Fragment, { key: at }, slate(node)));
  if (canopy.isBlock(block, 'html')) return <Html html={block.html ?? ''} />;
  if (!canopy.isBlock(block, 'image') || !block.url) return null;
  const picture = pictureProps({ ...block, '@id': block.url }) ?? { src: `${block.url}/@@images/image/large` };
  // biome-ignore lint/performance/noImgElement: Canopy makes the sizes
  return <img {...picture} alt={block.alt ?? ''} />;
}
