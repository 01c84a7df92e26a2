/** Shows the content of Canopy in one page: `#/news` is the content at `/news`, `#?text=sun` a search. */

import { createClient, NotFoundError, UnauthorizedError } from '@canopy-server/client';

const canopy = createClient(document.querySelector('meta[name=canopy]').content);
const main = document.querySelector('main');

/** An element with properties and children. Texts of children are no HTML. */
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.flat().filter((child) => child !== undefined));
  return made;
}

/** The address of a link on this page. Other addresses stay. */
function hrefOf(address) {
  const target = canopy.resolve(address);
  return target.startsWith('/') ? `#${target}` : target;
}

const link = ({ '@id': address, title }) => element('a', { href: hrefOf(address) }, title);
const menu = (label, items) => element('nav', { ariaLabel: label }, items.map(link));
const list = (items) =>
  element(
    'ul',
    {},
    items.map((item) => element('li', {}, link(item), item.description ? `: ${item.description}` : '')),
  );

const picture = (item, alt) => {
  const attributes = canopy.images(item, { sizes: '(max-width: 45rem) 100vw, 45rem' });
  return attributes && element('img', { ...attributes, alt });
};

/** HTML of Canopy, which has taken out what a browser would run. */
const rich = (html) => element('div', { innerHTML: html });

/** Elements of rich text by the type of their node; others are shown as text. */
const TAGS = ['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'strong', 'em', 'del', 'sub', 'sup', 'code', 'blockquote'];

function slate({ text, type, data, children = [] }) {
  if (text !== undefined) return text;
  if (type === 'link') return element('a', { href: hrefOf(data?.url ?? '') }, children.map(slate));
  return element(TAGS.includes(type) ? type : 'span', {}, children.map(slate));
}

function block({ '@type': type, value = [], text, ...rest }) {
  if (type === 'slate') return value.map(slate);
  if (type === 'text') return rich(text?.data ?? '');
  return type === 'image' ? picture(rest, rest.alt ?? '') : undefined;
}

async function content(path) {
  const found = await canopy.get(path, { expand: ['breadcrumbs', 'navigation'] });
  const { breadcrumbs, navigation } = found['@components'];
  document.title = found.title;
  return [
    menu('Main', [{ '@id': '/', title: 'Home' }, ...navigation.items]),
    menu('Breadcrumbs', breadcrumbs.items),
    element('h1', {}, found.title),
    element('p', {}, found.description ?? ''),
    picture(found, found.title),
    (found.blocks_layout?.items ?? []).map((id) => block(found.blocks?.[id] ?? {})),
    found.text ? rich(found.text.data) : undefined,
    list(found.items ?? []),
  ];
}

async function results(query) {
  const text = query.get('text') ?? '';
  const type = query.get('type') ?? undefined;
  const found = await canopy.search({ SearchableText: text, portal_type: type }, { facets: ['portal_type'] }).first();
  const narrowed = ({ value, title, count }) => {
    const href = `#?${new URLSearchParams({ text, type: value })}`;
    return element('a', { href }, `${title} (${count})`);
  };
  return [
    menu('Main', [{ '@id': '/', title: 'Home' }]),
    element('h1', {}, `${found.total} for “${text}”`),
    element('nav', { ariaLabel: 'Types' }, (found.facets.portal_type ?? []).map(narrowed)),
    list(found.items),
  ];
}

/** The page of an error. */
function problem(error) {
  if (error instanceof NotFoundError) return [element('h1', {}, 'There is no such page')];
  if (error instanceof UnauthorizedError) return [element('h1', {}, 'This page is not public')];
  return [element('h1', {}, 'Canopy cannot be reached'), element('p', {}, error.message)];
}

/** Shows what the address asks for. A later address goes first. */
async function show() {
  const wanted = location.hash.slice(1) || '/';
  const made = wanted.startsWith('?') ? results(new URLSearchParams(wanted)) : content(wanted);
  const parts = await made.catch(problem);
  if ((location.hash.slice(1) || '/') === wanted) main.replaceChildren(...parts.flat(2).filter(Boolean));
}

document.forms[0].addEventListener('submit', (event) => {
  event.preventDefault();
  location.hash = `?${new URLSearchParams(new FormData(event.target))}`;
});
addEventListener('hashchange', show);
show();
