/** The names of the systems of a day in tables. */
export const NAMES = {
  pglite: 'Canopy embedded',
  'pglite-varnish': 'Canopy embedded, Varnish',
  postgresql: 'Canopy PostgreSQL',
  'postgresql-varnish': 'Canopy PostgreSQL, Varnish',
  nick: 'Nick',
  plone: 'Plone',
};

/** Systems of others: they may lack requests and send old responses, and have no goals. */
export const PEERS = ['nick', 'plone'];
