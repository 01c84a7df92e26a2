// Fills a running site with documents: node bench/seed.mjs --help
import { parseArgs } from 'node:util';
import { connect } from '../scripts/lib/client.mjs';
import { seedSite } from './seed-site.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    documents: { type: 'string', default: '1000' },
    clients: { type: 'string', default: '8' },
    login: { type: 'string', default: 'admin' },
    password: { type: 'string', default: process.env.ADMIN_PASSWORD ?? 'admin' },
    publish: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) {
  console.log(`Usage: node bench/seed.mjs [options]
  --url URL         address of the site (default http://127.0.0.1:8080)
  --documents N     pages and folders to make (default 1000)
  --clients N       connections that write at the same time (default 8)
  --login, --password   of a Manager (default admin, ADMIN_PASSWORD or admin)
  --publish         publish the pages too, not only the folders`);
} else {
  const client = await connect(options.url.replace(/\/$/, ''), options);
  const started = performance.now();
  const made = await seedSite(client, {
    documents: Number(options.documents),
    clients: Number(options.clients),
    publish: options.publish,
    progress: (done) => {
      if (done % 1000 === 0)
        console.log(`${done} documents, ${Math.round(done / ((performance.now() - started) / 1000))} a second`);
    },
  });
  console.log(`${made} documents in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
