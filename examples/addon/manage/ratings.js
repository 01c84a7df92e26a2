// A page in /@manage: instructions with the stars that they have got, and a button for each number of stars.
const TEXTS = {
  en: {
    lead: 'Instructions and their stars.',
    none: 'There are no instructions yet.',
    give: 'Give {stars} stars to {title}',
  },
  de: {
    lead: 'Anleitungen und ihre Sterne.',
    none: 'Es gibt noch keine Anleitungen.',
    give: '{title} {stars} Sterne geben',
  },
};

const element = (name, text = '') => Object.assign(document.createElement(name), { textContent: text });

/**
 * @param {object} page
 * @param {HTMLElement} page.root      the element to fill
 * @param {object} page.client         the client of the site, in the name of the reader
 * @param {string} page.language       the language of the reader, such as `de`
 * @param {'light' | 'dark'} page.theme  how bright the page is
 */
export default async function ratings({ root, client, language }) {
  const texts = TEXTS[language] ?? TEXTS.en;
  const list = element('ul');
  root.append(element('p', texts.lead), list);

  const show = async () => {
    const { items } = await client.search({ portal_type: 'Example' }, { sort: 'sortable_title', size: 20 }).first();
    if (items.length === 0) return list.replaceChildren(element('li', texts.none));
    list.replaceChildren(...(await Promise.all(items.map(row))));
  };

  const row = async ({ '@id': address, title }) => {
    const place = client.at(client.pathOf(address));
    const { average, count } = await place.request('GET', '@example-rating');
    const item = element('li', `${title}: ${average ?? '–'} (${count}) `);
    for (const stars of [1, 2, 3, 4, 5]) {
      const button = element('button', String(stars));
      button.type = 'button';
      button.ariaLabel = texts.give.replace('{stars}', String(stars)).replace('{title}', title);
      button.addEventListener('click', async () => {
        await place.request('POST', '@example-rating', { body: { stars } });
        await show();
      });
      item.append(button, ' ');
    }
    return item;
  };

  await show();
}
