// A bare Fastify server with its content in one table of PostgreSQL: the upper bound for whatever is read from a database, or written. It has no
// users, permissions, versions, caches or checks. Each request is one statement.
// Usage: node bench/stored-server.mjs <address of an empty database>
import Fastify from 'fastify';
import pg from 'pg';

const TABLE = `create table page (path text collate "C" primary key, parent text collate "C" not null, position serial, data json not null, words tsvector);
  create index on page (parent, position);
  create index on page using gin (words)`;
const WORDS = (data) => `to_tsvector('english', ${data})`;
const STATEMENTS = {
  read: 'select data::text from page where path = $1',
  list: 'select path, data::text from page where parent = $1 order by position limit $2',
  search: `select path, data->>'title' as title, data->>'description' as description from page
    where words @@ plainto_tsquery('english', $1) limit 25`,
  expand: `select data::text,
      (select json_agg(json_build_object('@id', path, 'title', data->>'title') order by path) from page where path = any($2))::text as breadcrumbs,
      (select json_agg(json_build_object('@id', path, 'title', data->>'title') order by position) from page where parent = '/')::text as navigation
    from page where path = $1`,
  create: `insert into page (path, parent, data, words) values ($1, $2, $3::json, ${WORDS('$3::jsonb')})`,
  change: `update page set data = (data::jsonb || $2::jsonb)::json, words = ${WORDS('data::jsonb || $2::jsonb')} where path = $1`,
};

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
const run = async (name, ...values) => (await pool.query({ name, text: STATEMENTS[name], values })).rows;
const join = (parent, id) => `${parent === '/' ? '' : parent}/${id}`;
const ancestorsOf = (path) => path.split('/').map((_, at, names) => names.slice(0, at + 1).join('/') || '/');

await pool.query(TABLE);
const app = Fastify();
const base = () => app.listeningOrigin;
let made = 0;

/** The JSON of an object: what is stored, which is text, and its address. */
const jsonOf = (path, data, more = '') => `{"@id":${JSON.stringify(base() + path)},${data.slice(1, -1)}${more}}`;

app.post('/@login', () => ({ token: 'none' }));
app.get('/@search', async ({ query }) => {
  const items = await run('search', query.SearchableText);
  return { items: items.map(({ path, ...item }) => ({ '@id': base() + path, ...item })), items_total: items.length };
});
app.get('/*', async (request, reply) => {
  const path = request.url.split('?')[0];
  reply.type('application/json');
  if (request.query.b_size !== undefined) {
    const rows = await run('list', path, request.query.b_size);
    return `{"items":[${rows.map(({ path, data }) => jsonOf(path, data)).join()}],"items_total":${rows.length}}`;
  }
  const isExpanded = request.query.expand?.includes('navigation');
  const [row] = isExpanded ? await run('expand', path, ancestorsOf(path)) : await run('read', path);
  if (row === undefined) return reply.code(404).send('{}');
  const more = `,"@components":{"breadcrumbs":${row.breadcrumbs},"navigation":${row.navigation}}`;
  return jsonOf(path, row.data, isExpanded ? more : '');
});
app.post('/*', async (request, reply) => {
  if (request.url.endsWith('/@workflow/publish')) return {};
  made += 1;
  const path = join(request.url, request.body.id ?? `page-${made}`);
  const data = JSON.stringify(request.body);
  await run('create', path, request.url, data);
  return reply.code(201).type('application/json').send(jsonOf(path, data));
});
app.patch('/*', async (request, reply) => {
  await run('change', request.url, JSON.stringify(request.body));
  return reply.code(204).send();
});
process.once('disconnect', () => process.exit(0));

process.send({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
