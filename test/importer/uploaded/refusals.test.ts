import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { expect, it } from 'vitest';
import { removeExpired } from '../../../src/features/import/uploaded/remove-expired.ts';
import { addPerson } from '../../content/people.ts';
import { startWorker } from '../../jobs/job-site.ts';
import { describeEachEngine } from '../../support/database.ts';
import type { Json } from '../../support/site.ts';
import { useTestSite } from '../../support/use-site.ts';
import { add, exported, oldSite } from '../again/old-site.ts';
import { endOf, importUploaded, leftOvers, tarOf, tarOfFolder, upload, useTemporaryFolder, zipOf } from './archives.ts';

const PAGE = { '@id': '/page', '@type': 'Document', UID: 'page', id: 'page', title: 'Page' };
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** The header of a file of so many bytes, without them. */
async function declaring(size: number): Promise<Buffer> {
  const tar = Buffer.from(await packTar([{ header: { name: 'big.json', size: 1 }, body: 'x' }]));
  tar.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'ascii');
  tar.write('        ', 148, 'ascii');
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
  return gzipSync(tar);
}

async function pages(mark: string, count: number): Promise<Buffer> {
  const site = oldSite();
  add(site, { uid: mark, type: 'Folder' });
  for (let at = 0; at < count; at += 1) add(site, { uid: `${mark}-${at}`, id: `p${at}`, in: mark });
  return zipOf(await exported(site));
}

useTemporaryFolder();

describeEachEngine('what @imports refuses', (engine) => {
  const site = useTestSite(engine);

  it('A file of another kind, without a name, empty or of another media type is a 400 or 415 and leaves nothing.', async () => {
    const before = await leftOvers(site);
    for (const [name, bytes, message] of [
      ['a.rar', 'Rar!', 'must end with .zip, .tar.gz, .json or .xml'],
      ['a.zip', '{"a": 1}', 'The file is not what its name says'],
      ['a.tgz', 'PK\u0003\u0004', 'The file is not what its name says'],
      ['a.json', '<?xml version="1.0"?>', 'The file is not what its name says'],
      ['a.xml', '[]', 'The file is not what its name says'],
      ['a.zip', '', 'The request has no file'],
    ] as const) {
      const { status, body } = await upload(site, name, bytes);
      expect([status, body.message], name).toEqual([400, expect.stringContaining(message)]);
    }
    expect((await upload(site, 'a.json', '[]', { headers: { 'Content-Type': 'application/json' } })).status).toBe(415);
    expect((await upload(site, 'a.json', '[]', { headers: { 'Content-Encoding': 'gzip' } })).status).toBe(415);
    expect(
      (await site.request('POST', '/@imports', { headers: { 'Content-Type': 'application/octet-stream' } })).status,
    ).toBe(400);
    expect((await upload(site, `${'a'.repeat(300)}.zip`, 'PK')).status).toBe(400);
    expect((await site.request('GET', '/@imports')).body.items).toEqual([]);
    expect(await leftOvers(site)).toEqual(before);
  });

  it('A file that is larger than the site allows is a 413.', async () => {
    await site.request('PATCH', '/@controlpanels/uploads', { json: { max_size: 1 } });
    const large = Buffer.alloc(1024 * 1024 + 1, ' ');
    large.write('[');
    expect((await upload(site, 'a.json', large)).status).toBe(413);
    await site.request('PATCH', '/@controlpanels/uploads', { json: { max_size: 100 } });
  });

  it('An archive with a path out of it, a link, or more than its size allows fails and says why.', async () => {
    const body = JSON.stringify([PAGE]);
    const file = (name: string) => ({ header: { name, size: body.length }, body });
    const before = await leftOvers(site);
    for (const [archive, message] of [
      [await tarOf([file('../../out.json')]), 'leads out of it'],
      [await tarOf([file('/tmp/out.json')]), 'leads out of it'],
      [await tarOf([{ header: { name: 'a', size: 0, type: 'symlink', linkname: '/etc' } }]), 'is no file (symlink)'],
      [await tarOf([{ header: { name: 'a', size: 0, type: 'link', linkname: '../x' } }]), 'is no file (link)'],
      [await declaring(3 * 1024 ** 3), 'times its size'],
      [(await tarOf([file('Plone.json')])).subarray(0, 40), 'cannot be unpacked'],
      [await tarOf([file('notes.txt')]), 'is not an export that can be read'],
    ] as const) {
      const { id } = (await upload(site, 'export.tar.gz', archive)).body;
      const { job } = await importUploaded(site, id);
      expect(job, message).toMatchObject({ status: 'failed', error: expect.stringContaining(message) });
      expect(job.error).not.toMatch(/canopy-unpacked|\/tmp\/canopy/);
      expect((await site.request('DELETE', `/@imports/${id}`)).status).toBe(204);
    }
    const zip = Buffer.from(
      (await zipOf(await exported(oldSite()))).toString('latin1').replaceAll('Plone.json', '../ut.json'),
      'latin1',
    );
    const { id } = (await upload(site, 'export.zip', zip)).body;
    expect((await importUploaded(site, id)).job.error).toContain('cannot be unpacked');
    expect((await site.request('DELETE', `/@imports/${id}`)).status).toBe(204);
    expect(await leftOvers(site)).toEqual(before);
  });

  it('Choices that go not together or are unknown are a 400 with their fields.', async () => {
    const { id } = (await upload(site, 'a.json', JSON.stringify([PAGE]))).body;
    const start = (json: Json) => site.request('POST', `/@imports/${id}/start`, { json });
    for (const [json, field] of [
      [{ conflicts: 'take' }, 'conflicts'],
      [{ again: true, conflicts: 'merge' }, 'conflicts'],
      [{ reader: '../../evil' }, 'reader'],
      [{ dry_run: 'yes' }, 'dry_run'],
      [{ unknown: 1 }, 'unknown'],
    ] as const) {
      const { status, text } = await start(json);
      expect(status, text).toBe(400);
      expect(text).toContain(field);
    }
    for (const path of ['start', 'lines', '']) {
      const method = path === 'start' ? 'POST' : 'GET';
      const options = path === 'start' ? { json: {} } : {};
      for (const unknown of [UNKNOWN, 'x', '..%2f..%2fetc'])
        expect((await site.request(method, `/@imports/${unknown}/${path}`.replace(/\/$/, ''), options)).status).toBe(
          404,
        );
    }
    expect((await importUploaded(site, id, { reader: 'nothing' })).job.error).toContain('There is no reader "nothing"');
    expect((await importUploaded(site, id, { replace: true })).job.error).toContain(
      '"replace" is for exports that this server has made',
    );
    await site.request('DELETE', `/@imports/${id}`);
  });

  it('A job that waits or runs keeps its import; ended by its user, it leaves what it has done and can go on.', async () => {
    const { id } = (await upload(site, 'many.zip', await pages('many', 30))).body;
    const begun = await site.request('POST', `/@imports/${id}/start`, { json: { dry_run: true } });
    expect(begun.status).toBe(202);
    expect((await site.request('POST', `/@imports/${id}/start`, { json: {} })).status).toBe(409);
    expect((await site.request('DELETE', `/@imports/${id}`)).status).toBe(409);
    const job = new URL(begun.headers.get('location') ?? '').pathname;
    expect((await site.request('POST', `${job}/abort`)).status).toBe(204);
    expect(await endOf(site, job, id)).toMatchObject({ stored: true, job: { status: 'aborted' }, report: null });
    expect((await importUploaded(site, id)).report.refused).toBe(false);
    expect((await site.request('POST', `/@imports/${id}/start`, { json: {} })).body.message).toContain(
      'no longer stored',
    );
  });

  it('A user who is no Manager any more has nothing imported.', async () => {
    const boss = await addPerson(site, { id: 'boss', roles: ['Manager'] });
    const { id } = (await upload(site, 'boss.json', JSON.stringify([PAGE]), { as: boss })).body;
    const begun = await site.request('POST', `/@imports/${id}/start`, { as: boss, json: {} });
    await site.request('PATCH', '/@users/boss', { json: { roles: { Manager: false } } });
    expect((await site.request('GET', `/@imports/${id}`, { as: boss })).status).toBe(403);
    const worker = await startWorker(site.kernel);
    expect((await endOf(site, begun.headers.get('location') ?? '', id)).job.error).toContain('Only Managers');
    await worker.close();
    await site.request('DELETE', `/@imports/${id}`);
  });

  it('No more than ten files are stored, and those that expire are removed.', async () => {
    const small = await tarOfFolder(await exported(oldSite()));
    const before = await leftOvers(site);
    const sent = await Promise.all(Array.from({ length: 12 }, () => upload(site, 'small.tar.gz', small)));
    expect(sent.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429]);
    expect((await leftOvers(site)).blobs.length).toBe(before.blobs.length + 10);
    const listed = (await site.request('GET', '/@imports?b_size=3')).body;
    expect(listed.items).toHaveLength(3);
    expect(listed.batching.next).toContain('b_start=3');
    await site.kernel.db.query({ text: `update site_import set expires = now() - interval '1 hour'` });
    await removeExpired(site.kernel);
    expect(await leftOvers(site)).toEqual(before);
    const [first] = (await site.request('GET', '/@imports')).body.items;
    expect(first.stored).toBe(false);
    await site.kernel.db.query({ text: `update site_import set created = now() - interval '1 year'` });
    await removeExpired(site.kernel);
    expect((await site.request('GET', '/@imports')).body.items_total).toBe(0);
  });
});
