import { locate } from '../../../src/core/content/locate.ts';
import { takeLock } from '../../../src/core/content/locking.ts';
import { removeContent } from '../../../src/core/content/remove-content.ts';
import { updateContent } from '../../../src/core/content/update-content.ts';
import { addContentAliases } from '../../../src/features/aliases/add.ts';
import { addComment } from '../../../src/features/comments/changes.ts';
import { insertSubmission } from '../../../src/features/forms/statements/submissions.ts';
import { submitForm } from '../../../src/features/forms/submit.ts';
import { changeRelations } from '../../../src/features/relations/relation-change.ts';
import { linkTranslation } from '../../../src/features/translations/translation-link.ts';
import { openUpload } from '../../../src/features/uploads/open-upload.ts';
import { checkOut } from '../../../src/features/working-copies/check-out.ts';
import { make, manager } from '../../content/make.ts';
import { PICTURE } from './belongings.ts';
import { STORE } from './pages.ts';
import type { MakeThing, Scene } from './scene.ts';

async function lockedBy({ site, nextPage }: Scene, id: string): Promise<string> {
  const path = await nextPage('owner');
  await takeLock(site.kernel, manager(id), path, { stealable: true, timeout: 600 });
  return path;
}

async function checkedOut({ site: { kernel }, nextPage }: Scene): Promise<{ baseline: string; copy: string }> {
  const baseline = await nextPage('owner');
  const { path } = await checkOut(kernel, { caller: manager(), path: baseline, lockToken: undefined });
  return { baseline, copy: path };
}

const dutchPage = ({ site, number }: Scene): Promise<string> =>
  make(site.kernel, STORE, { id: `dutch-${number()}`, language: 'nl' }, { owner: 'owner' });

/** Comments as a user. Returns the id of the comment. */
const commentBy = ({ site, number }: Scene, path: string, id: string): Promise<string> =>
  addComment(site.kernel, {
    caller: manager(id),
    path,
    inReplyTo: undefined,
    text: `Comment ${number()}`,
    authorName: '',
  });

/** Sends the form of an object, with a file. Returns the number of the submission. */
async function submittedAt({ site: { kernel } }: Scene, path: string): Promise<string> {
  const { site, resolved } = await locate(kernel, path);
  if (!resolved) throw new Error(`There is nothing at ${path}`);
  const data = { name: 'Sent', cv: PICTURE };
  const from = { kernel, caller: manager(), clientAddress: '192.0.2.1', site, resolved };
  await submitForm({ ...from, block: 'form', data, attachments: undefined, captcha: undefined });
  const newest = 'select max(id)::text as id from form_submission where content = $1';
  const [row] = await kernel.db.query<{ id: string }>({ text: newest, values: [resolved.object.oid] });
  return row?.id ?? '';
}

/** Stores a submission of a form that was removed since. Returns the id of its block. */
async function removedForm({ site: { kernel }, number }: Scene, path: string): Promise<string> {
  const block = `removed-${number()}`;
  const content = (await locate(kernel, path)).resolved?.object.oid ?? 0;
  await insertSubmission(kernel.db, { content, block, days: undefined, fields: [], data: {} });
  return block;
}

/** Deletes a page as a user. Returns the id of the entry in the recycle bin. */
async function removedBy({ site: { kernel }, nextPage }: Scene, id: string): Promise<string> {
  const path = await nextPage('owner');
  await removeContent(kernel, { caller: manager(id), path, lockToken: undefined });
  const entries = { text: 'select id from recycled where path = $1', values: [path] };
  const [entry] = await kernel.db.query<{ id: string }>(entries);
  if (!entry) throw new Error(`${path} is not in the recycle bin`);
  return entry.id;
}

/** Opens an upload to the page or to the site root as a user. Returns its id in addresses. */
async function uploadBy({ site: { kernel } }: Scene, path: string, id: string): Promise<string> {
  const { site, resolved } = await locate(kernel, path);
  if (!resolved) throw new Error(`There is nothing at ${path}`);
  const caller = { ...manager(id), id };
  const upload = await openUpload(
    kernel,
    { site, resolved },
    { caller, mode: 'create', length: 80, metadata: '', lockToken: undefined },
  );
  return upload.id.replaceAll('-', '');
}

/** Pages, owned by "Owner" unless their name says otherwise, and things that depend on pages. */
export const CONTENT_THINGS: Record<string, MakeThing> = {
  'new page': ({ nextPage }) => nextPage('owner'),
  'page of another': ({ nextPage }) => nextPage('admin'),
  'submitted page': ({ site, number }) =>
    make(site.kernel, STORE, { id: `submitted-${number()}` }, { state: 'pending', owner: 'owner' }),
  'new container': async ({ site: { kernel }, nextPage }) => {
    const path = await nextPage('owner');
    for (const id of ['first', 'second']) await make(kernel, path, { id });
    return path;
  },
  'edited page': async ({ site: { kernel }, nextPage }) => {
    const path = await nextPage('owner');
    const request = { caller: manager(), path, input: { title: 'Edited' }, bases: [], lockToken: undefined };
    return updateContent(kernel, request);
  },
  'related page': async ({ site: { kernel }, nextPage, page }) => {
    const source = await nextPage('owner');
    const items = [{ source, target: page().path, relation: 'relatedItems' }];
    await changeRelations(kernel, {
      site: await kernel.sites.current(),
      caller: manager(),
      items,
      change: 'add',
      bases: [],
    });
    return source;
  },
  'page in Dutch': dutchPage,
  'translated page': async (scene) => {
    const path = await scene.nextPage('owner');
    const request = { caller: manager(), path, bases: [], lockToken: undefined };
    await linkTranslation(scene.site.kernel, {
      ...request,
      site: await scene.site.kernel.sites.current(),
      reference: await dutchPage(scene),
    });
    return path;
  },
  'page locked by caller': (scene, { id }) => lockedBy(scene, id),
  'page locked by another': (scene) => lockedBy(scene, 'admin'),
  'checked-out page': async (scene) => (await checkedOut(scene)).baseline,
  'working copy': async (scene) => (await checkedOut(scene)).copy,
  'new alias': async ({ site: { kernel }, number, page }) => {
    const path = `/fresh-alias-${number()}`;
    const aliases = [{ path, created: new Date() }];
    await addContentAliases(kernel, { caller: manager(), path: page().path, aliases });
    return path;
  },
  'removed form': (scene) => removedForm(scene, scene.page().path),
  'removed site form': (scene) => removedForm(scene, '/'),
  submission: (scene) => submittedAt(scene, scene.page().path),
  'site submission': (scene) => submittedAt(scene, '/'),
  'comment of another': (scene) => commentBy(scene, scene.page().path, 'admin'),
  'comment of caller': (scene, { id }) => commentBy(scene, scene.page().path, id),
  'site comment of another': (scene) => commentBy(scene, '/', 'admin'),
  'site comment of caller': (scene, { id }) => commentBy(scene, '/', id),
  'upload of caller': (scene, { id }) => uploadBy(scene, scene.page().path, id),
  'upload of another': (scene) => uploadBy(scene, scene.page().path, 'admin'),
  'upload of owner': (scene) => uploadBy(scene, scene.page().path, 'owner'),
  'site upload of contributor': (scene) => uploadBy(scene, '/', 'contributor'),
  'site upload of caller': (scene, { id }) => uploadBy(scene, '/', id),
  'entry of owner': (scene) => removedBy(scene, 'owner'),
  'entry of caller': (scene, { id }) => removedBy(scene, id),
};
