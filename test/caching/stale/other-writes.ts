import type { Statement } from '../../../src/database/database.ts';
import { importSite } from '../../../src/features/import/import-site.ts';
import { enqueueJob } from '../../../src/features/jobs/queue.ts';
import { findJob } from '../../../src/features/jobs/statements/jobs.ts';
import { make } from '../../content/make.ts';
import { page, writeExport } from '../../importer/readers/helpers.ts';
import { request, startWorker } from '../../jobs/job-site.ts';
import { STORE } from '../../security/matrix/pages.ts';
import type { Scene } from '../../security/matrix/scene.ts';
import { makeDueTransitions } from '../../support/make-due-transitions.ts';

/** A write that no request does. `prepare` returns the path that it is about, and how it is done. */
export type OtherWrite = {
  name: string;
  prepare(scene: Scene): Promise<{ path: string; write(): Promise<unknown> }>;
};

/** Milliseconds after which a page of the tests becomes effective or expires. */
const SOON_MS = 4000;

/** Returns a write by one statement to one table, as by another program or a repair. `$1` is the number of the page. */
const alone = (name: string, text: string, before?: Statement): OtherWrite => ({
  name,
  async prepare({ site: { kernel }, page: of }) {
    const { path } = of();
    const values = [
      (await kernel.db.query<{ oid: number }>({ text: 'select oid from content where path = $1', values: [path] }))[0]
        ?.oid,
    ];
    if (before !== undefined) await kernel.db.query({ values, ...before });
    return { path, write: () => kernel.db.query({ text, values }) };
  },
});

const COMMENT = `insert into comment (id, content, body, mime_type, author, author_name, review_state, created, modified)
  values (gen_random_uuid()::text, $1, 'Words of another program', 'text/plain', 'admin', '', 'published', now(), now())`;
const ALIAS = `insert into redirect (path, target, manual) values ('/alias-of-another-program', $1, true) on conflict (path) do update set manual = true`;

/** A page whose date is soon over. */
const dated = (field: 'effective' | 'expires'): OtherWrite => ({
  name: `the time of ${field} passes`,
  async prepare({ site: { kernel }, number }) {
    const at = Date.now() + SOON_MS;
    const path = await make(
      kernel,
      STORE,
      { id: `dated-${number()}`, [field]: new Date(at).toISOString() },
      { state: 'published' },
    );
    return { path, write: () => new Promise((resolve) => setTimeout(resolve, at + 50 - Date.now())) };
  },
});

/** The writes that no request does: other programs, jobs, what is due, and the time. */
export const OTHER_WRITES: readonly OtherWrite[] = [
  alone('a comment is added', COMMENT),
  alone('comments change', `update comment set body = 'Other words', modified = now() where content = $1`, {
    text: COMMENT,
  }),
  alone('comments are rejected', `update comment set review_state = 'rejected' where content = $1`, { text: COMMENT }),
  alone('comments are removed', 'delete from comment where content = $1', { text: COMMENT }),
  alone('an alias is added', ALIAS, {
    text: `delete from redirect where path = '/alias-of-another-program'`,
    values: [],
  }),
  alone('aliases change', 'update redirect set created = now() where target = $1', { text: ALIAS }),
  alone('aliases are removed', 'delete from redirect where target = $1', { text: ALIAS }),
  alone('references are removed', 'delete from reference where source = $1'),
  alone('the history changes', `update workflow_history set comments = 'Other words' where content = $1`),
  alone('the text of a file is read', `update file_text set text = 'A page of a file' where $1::bigint is not null`, {
    text: `with file as (insert into file_text (hash, format) values ('\\xab', 'pdf') on conflict (hash) do nothing)
      update catalog set custom = custom || '{"=files": ["ab"]}' where oid = $1`,
  }),
  alone('values of the catalog are removed', 'delete from catalog_value where oid = $1'),
  dated('effective'),
  dated('expires'),
  {
    name: 'a scheduled transition is made',
    async prepare({ site: { kernel, request: ask }, nextPage }) {
      const path = await nextPage('admin');
      const json = { transition: 'retract', at: new Date(Date.now() + 3_600_000).toISOString() };
      const { status, text } = await ask('POST', `${path}/@scheduled-transitions`, { json });
      if (status !== 201) throw new Error(text);
      return {
        path,
        async write() {
          await kernel.db.query({
            text: `update scheduled_transition set at = now(), due = now() where finished is null`,
          });
          await makeDueTransitions(kernel);
        },
      };
    },
  },
  {
    name: 'a job indexes everything again',
    async prepare({ site: { kernel }, page: of }) {
      const { path } = of();
      await kernel.db.query({
        text: `update catalog set subjects = '{lost}' where oid = (select oid from content where path = $1)`,
        values: [path],
      });
      return {
        path,
        async write() {
          const id = await enqueueJob(kernel, kernel.db, request('reindex', { params: { type: [] } }));
          const worker = await startWorker(kernel);
          try {
            for (;;) {
              const job = await findJob(kernel.db, id, { actor: undefined, lockMode: false });
              if (job?.status === 'completed') return;
              if (job?.status === 'failed') throw new Error('The job has failed');
              await new Promise((resolve) => setTimeout(resolve, 50));
            }
          } finally {
            await worker.close();
          }
        },
      };
    },
  },
  {
    name: 'a command imports content',
    async prepare({ site: { kernel }, number }) {
      const id = `imported-${number()}`;
      const directory = await writeExport({ '1.json': page(`/${id}`, { title: 'Imported' }) });
      const progress = () => ({ tick: () => {}, done: () => {} });
      return { path: `/${id}`, write: () => importSite(kernel, { directory, progress }) };
    },
  },
];
