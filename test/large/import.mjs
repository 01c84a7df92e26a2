// Imports a large export that is made up, and looks at the time and the memory that it takes: npm run test:import -- --help
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { folder, page, randomNumbers } from '../../bench/documents.mjs';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { onEnd, runMain } from '../../scripts/lib/cleanup.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { ROOT } from '../../scripts/lib/root.mjs';
import { temporaryDataDir } from '../../scripts/lib/server.mjs';
import { stopChild } from '../../scripts/lib/stop-child.mjs';

/** Most memory that the import may take, in mebibytes. */
const MAX_RSS = 250;
/** Objects a second that an import on PostgreSQL has to reach. */
const MIN_SPEED = 1000;
const PAGES_IN_FOLDER = 99;
const SITE = 'https://old.example.org/Plone';
/** Every twentieth page has a picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
/** Objects whose JSON is written at once. */
const CHUNK = 500;

const { values: options } = parseArgs({
  options: {
    objects: { type: 'string', default: '20000' },
    form: { type: 'string', default: 'collective' },
    versions: { type: 'string', default: '0' },
    profile: { type: 'string', default: 'plone' },
    embedded: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const HELP = `Makes up an export and imports it into a new site, with the built program.

  --objects N     objects of the export (20000)
  --form FORM     collective (one object a file), list (one file for all) or plone (plone.exportimport)
  --versions N    older versions of each page (0)
  --profile NAME  profile of the site (plone)
  --embedded      with the embedded database instead of PostgreSQL`;

/** The same 32 hexadecimal digits for the same text. */
const uidOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** An object as Plone's exporters write it. */
function exported(content, path, { number, parent }) {
  const day = new Date(Date.UTC(2015, 0, 1, 0, 0, number)).toISOString().replace('Z', '+00:00');
  return {
    ...content,
    '@id': SITE + path,
    '@type': content['@type'] === 'Page' ? 'Document' : content['@type'],
    UID: uidOf(path),
    id: path.split('/').at(-1),
    parent: { '@id': SITE + parent, '@type': parent === '' ? 'Plone Site' : 'Folder' },
    created: day,
    modified: day,
    effective: day,
    expires: null,
    creators: ['editor'],
    subjects: [...new Set(content.subjects)],
    contributors: [],
    rights: '',
    language: { token: 'en', title: 'English' },
    review_state: 'published',
    layout: content['@type'] === 'Page' ? 'document_view' : 'listing_view',
    is_folderish: true,
    allow_discussion: false,
    exclude_from_nav: false,
    version: 'current',
    'exportimport.constrains': {},
    'exportimport.conversation': [],
    workflow_history: {
      simple_publication_workflow: [
        { action: null, actor: 'editor', comments: '', review_state: 'private', time: day },
        { action: 'publish', actor: 'editor', comments: 'Ready', review_state: 'published', time: day },
      ],
    },
  };
}

function linkTo(content, path) {
  const block = Object.values(content.blocks).at(-1);
  const link = { type: 'link', data: { url: `../resolveuid/${uidOf(path)}` }, children: [{ text: 'see also' }] };
  block.value.push({ type: 'p', children: [{ text: '' }, link, { text: '' }] });
}

/** Older versions of a page, each with another title and a paragraph less. */
function versionsOf(object, count) {
  const versions = {};
  for (let number = 0; number < count; number += 1) {
    const { workflow_history: _, ...fields } = object;
    const gone = object.blocks_layout.items.slice(2, 3 + (number % 3));
    versions[number] = {
      ...fields,
      title: `${object.title} ${number}`,
      blocks: Object.fromEntries(Object.entries(object.blocks).filter(([id]) => !gone.includes(id))),
      blocks_layout: { items: object.blocks_layout.items.filter((id) => !gone.includes(id)) },
      changeNote: `Edit ${number}`,
      changeActor: 'editor',
      version: number,
    };
  }
  return versions;
}

/** The objects of the export, containers before what is in them. */
function* objectsOf(count, versions) {
  const random = randomNumbers(count);
  let number = 0;
  for (let section = 0; number < count; section += 1) {
    const parent = `/folder-${section}`;
    yield exported(folder(random), parent, { number, parent: '' });
    number += 1;
    for (let index = 0; index < PAGES_IN_FOLDER && number < count; index += 1, number += 1) {
      const content = page(random);
      // Also to content that comes later.
      linkTo(content, `/folder-${Math.floor((random() * count) / (PAGES_IN_FOLDER + 1))}/page-${index}`);
      const object = exported(content, `${parent}/page-${index}`, { number, parent });
      if (index % 20 === 0)
        object.preview_image = {
          data: PIXEL,
          encoding: 'base64',
          'content-type': 'image/png',
          filename: `${number}.png`,
          size: 70,
        };
      if (versions > 0) object['exportimport.versions'] = versionsOf(object, versions);
      yield object;
    }
  }
}

/** Writes the export into a folder, in one of its forms. */
async function writeExport(dir, { objects, form, versions }) {
  let chunk = [];
  let number = 0;
  const uids = [];
  const flush = async (isLast) => {
    if (form === 'list') {
      const json = chunk.map((object) => JSON.stringify(object, null, 1)).join(',\n');
      await appendFile(join(dir, 'Plone.json'), `${number === chunk.length ? '[' : ','}${json}${isLast ? ']' : ''}`);
    } else
      await Promise.all(
        chunk.map(async (object, index) => {
          const name =
            form === 'plone' ? `content/${object.UID}/data.json` : `${number - chunk.length + index + 1}.json`;
          if (form === 'plone') await mkdir(join(dir, 'content', object.UID), { recursive: true });
          await writeFile(join(dir, name), JSON.stringify(object, null, 2));
        }),
      );
    chunk = [];
  };
  for (const object of objectsOf(objects, versions)) {
    chunk.push(object);
    uids.push(object.UID);
    number += 1;
    if (chunk.length === CHUNK) await flush(number === objects);
  }
  if (chunk.length > 0) await flush(true);
  if (form !== 'plone') return;
  const metadata = { __version__: '1.0.0', _data_files_: uids.map((uid) => `${uid}/data.json`), _blob_files_: [] };
  await writeFile(join(dir, 'content/__metadata__.json'), JSON.stringify(metadata));
}

/** The most memory that a process has taken so far, in mebibytes, and its seconds on a processor; nothing when it is gone. */
async function usageOf(pid) {
  try {
    const highest = /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
    // A process that has ended and that nobody has waited for yet has no memory any more.
    if (highest === undefined) return undefined;
    const times = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1].split(' ');
    // In ticks of the system clock, which has a hundred a second.
    const processor = (Number(times[11]) + Number(times[12])) / 100;
    return { peak: Number(highest) / 1024, processor };
  } catch {
    return undefined;
  }
}

/** Runs a command of the program. Returns its exit code, seconds, peak of memory, seconds on a processor and output. */
async function command(args, env) {
  const started = performance.now();
  const child = spawn(process.execPath, [join(ROOT, 'dist/bin/canopy.js'), ...args], { env, cwd: ROOT });
  onEnd(() => stopChild(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  let usage = { peak: 0, processor: 0 };
  while (child.exitCode === null && child.signalCode === null) {
    usage = (await usageOf(child.pid)) ?? usage;
    await sleep(100);
  }
  return { ...usage, code: child.exitCode, seconds: (performance.now() - started) / 1000, output };
}

await runMain(async () => {
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  buildIfStale();
  const objects = Number(options.objects);
  const dir = await temporaryDataDir();
  await writeExport(dir, { objects, form: options.form, versions: Number(options.versions) });
  const postgres = options.embedded ? undefined : await postgresServer({ durable: true });
  const env = {
    ...process.env,
    ADMIN_PASSWORD: 'admin',
    PROFILE: options.profile,
    DATA_DIR: await temporaryDataDir(),
    ...(postgres ? { DATABASE_URL: await postgres.createDatabase() } : {}),
  };
  const empty = await temporaryDataDir();
  await writeFile(
    join(empty, '1.json'),
    JSON.stringify(exported({ '@type': 'Document', title: 'First' }, '/first', { number: 0, parent: '' })),
  );
  // Makes the site, which is not part of what is measured.
  const first = await command(['import', empty, '--new-site'], env);
  if (first.code !== 0) throw new Error(first.output);
  const { code, seconds, peak, processor, output } = await command(['import', dir], env);
  console.log(output);
  const speed = objects / seconds;
  console.log(
    `${objects} objects (${options.form}, ${options.versions} versions) in ${seconds.toFixed(1)} s: ${speed.toFixed(0)} a second; ${processor.toFixed(1)} s on a processor (${first.processor.toFixed(1)} s to import one object), ${peak.toFixed(0)} MiB at most (${first.peak.toFixed(0)} MiB)`,
  );
  const isQuick = options.embedded || speed >= MIN_SPEED;
  if (!isQuick) console.log(`Too slow: less than ${MIN_SPEED} a second.`);
  if (peak > MAX_RSS) console.log(`Too much memory: more than ${MAX_RSS} MiB.`);
  return code === 0 && isQuick && peak <= MAX_RSS ? 0 : 1;
});
