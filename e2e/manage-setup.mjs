// The set-up of a site on the page for those who run it: rights, workflows, types, rules, what is changed at once, the way back.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../scripts/lib/root.mjs';
import { PEOPLE } from './manage-site.mjs';

const ADMIN = PEOPLE[0];

/** Opens a page of the administrator. */
async function asAdmin(open, { logIn, settled }, path) {
  const { page, context } = await open({});
  await logIn(page, ADMIN);
  await page.goto(path);
  await settled(page);
  return { page, context };
}

/** Makes a role, gives it a permission, sees first what that changes, and takes the role away. */
async function useRoles(open, api, tools) {
  const { page, context } = await asAdmin(open, tools, '/@manage/roles?new=1');
  await page.getByLabel('Title').fill('Translator');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/permissions\?role=Translator/);
  await page.getByRole('checkbox', { name: 'Manage translations: Translator' }).check();
  await page.getByRole('button', { name: 'What would change' }).click();
  await page.getByText('Permission Manage translations edited').waitFor();
  assert.ok(!(await api('GET', '/@permissions/Manage%20translations')).roles.includes('Translator'));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  assert.ok((await api('GET', '/@permissions/Manage%20translations')).roles.includes('Translator'));
  await page.goto('/@manage/roles/Translator');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/@manage\/roles$/);
  await context.close();
}

/** Makes a workflow of a copy, adds a state and a transition, gives it to a type, and sees how much content follows. */
async function useWorkflows(open, api, tools) {
  const { page, context } = await asAdmin(open, tools, '/@manage/workflows?new=1');
  await page.getByLabel('Short name').fill('news_workflow');
  await page.getByLabel('Title').fill('News');
  await page.getByLabel('Begins as a copy of').selectOption('simple_publication_workflow');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/workflows\/news_workflow/);
  await page.getByLabel('Title of a new state').fill('Archived');
  await page.getByRole('button', { name: 'Add a state' }).click();
  await page.getByLabel('Title of a new transition').fill('Archive');
  await page.getByRole('button', { name: 'Add a transition' }).click();
  await page.getByRole('heading', { name: 'Archive', exact: true }).click();
  const archive = page.locator('details[open]').last();
  await archive.getByRole('checkbox', { name: 'Published' }).check();
  await archive.getByLabel('Leads to').selectOption('archived');
  await page.getByRole('button', { name: 'What would change' }).click();
  await page.getByText('Nothing was changed yet').waitFor();
  assert.ok(!('archived' in (await api('GET', '/@workflows/news_workflow')).states));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const stored = await api('GET', '/@workflows/news_workflow');
  assert.equal(stored.transitions.archive.new_state, 'archived');
  assert.ok(stored.states.published.transitions.includes('archive'));
  await page.goto('/@manage/workflows');
  await page.getByLabel('Workflow of Folder').selectOption('intranet_workflow');
  await page.getByLabel('Takes the place of published').selectOption('external');
  await page.getByRole('button', { name: 'What would change' }).click();
  const effect = page.locator('.notice').filter({ hasText: 'Nothing was changed yet' });
  await effect.waitFor();
  // Three published folders and a private one, whose state stays.
  assert.match(await effect.textContent(), /Objects[^0-9]*3/);
  assert.equal((await api('GET', '/@workflow-types')).Folder.workflow, 'simple_publication_workflow');
  await context.close();
}

/** Makes a type with a field, changes the field, and removes both. */
async function useTypes(open, api, tools) {
  const { page, context } = await asAdmin(open, tools, '/@manage/types?new=1');
  await page.getByLabel('Title').fill('Recipe');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/types\/recipe/i);
  const form = page.getByRole('region').or(page.locator('.panel')).filter({ hasText: 'New field' }).last();
  await form.getByLabel('Title').fill('Minutes');
  await form.getByLabel('Kind').selectOption({ label: 'Integer' });
  await form.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: 'Change Minutes' }).click();
  // The form for new fields, which is there before this one has loaded, has the same labels.
  const change = page.locator('.panel').filter({ has: page.getByRole('heading', { name: 'Minutes', exact: true }) });
  await change.getByLabel('Help').fill('How long it takes.');
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').first().waitFor();
  const id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1));
  const { minutes } = (await api('GET', `/@types/${id}`)).properties;
  assert.deepEqual([minutes.description, minutes.type], ['How long it takes.', 'integer']);
  await page.getByRole('button', { name: 'Delete: Minutes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Change Minutes' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/@manage\/types$/);
  await context.close();
}

/** Makes a rule, gives it to a folder, and tries it: a request would leave, and nothing has changed. */
async function useRules(open, api, tools) {
  const { page, context } = await asAdmin(open, tools, '/@manage/rules?new=1');
  await page.getByLabel('Title').fill('Tell the library');
  await page.getByLabel('When').selectOption('onAfterPublish');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/rules\/tell-the-library/);
  await page.getByLabel('Add an action').selectOption('webhook');
  await page.getByLabel('Address').fill('https://library.example.org/changed');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Send POST to https://library.example.org/changed').waitFor();
  await page.getByLabel('Path of a folder').fill('/walks');
  await page.getByRole('button', { name: 'Give the folder the rule' }).click();
  await page.getByRole('link', { name: '/walks' }).waitFor();
  await page.getByLabel('Path of content').fill('/walks/ferry');
  await page.getByLabel('What happens to it').selectOption({ label: 'Publish' });
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText('Mails and requests that would leave').waitFor();
  assert.equal((await api('GET', '/walks/ferry')).review_state, 'private');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/@manage\/rules$/);
  await context.close();
}

/** Tags many objects at once after a trial, follows the job, and undoes another change. */
async function useBulk(open, api, tools) {
  const { page, context } = await asAdmin(open, tools, '/@manage/content?path=/birds');
  await page.getByRole('button', { name: /^Change all that were found/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Tags, with commas between').fill('Birds');
  await dialog.getByRole('button', { name: /^Change 260/ }).click();
  await dialog.getByText('Changed: 260. As they should be: 0. Refused: 0.').waitFor({ timeout: 120_000 });
  await dialog.getByRole('button', { name: 'Close' }).click();
  assert.deepEqual((await api('GET', '/birds/week-7')).subjects, ['Birds']);
  await page.getByRole('checkbox', { name: 'Select Week 1', exact: true }).check();
  await page.getByRole('button', { name: /^Change the selected ones: 1/ }).click();
  await dialog.getByLabel('What to do').selectOption('delete');
  await dialog.getByRole('button', { name: 'What would change' }).click();
  await dialog.getByText('Deleted').waitFor();
  await dialog.getByRole('button', { name: /^Change 1/ }).click();
  await dialog.getByText('Changed: 1.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.goto('/@manage/undo');
  await page
    .getByRole('button', { name: /^Undo: .*week-1.*Deleted/ })
    .first()
    .click();
  await page.getByText('It is undone.').waitFor();
  assert.equal((await api('GET', '/birds/week-1')).title, 'Week 1');
  await context.close();
}

/** Plans a transition, makes a preview link, and opens it without an account. */
async function usePublishing(open, api, tools) {
  const { page, context } = await asAdmin(open, tools, '/@manage/content?path=/walks/ferry&tab=publishing');
  await page.getByLabel('Transition').selectOption('publish');
  await page.getByLabel('When').fill('2030-05-01T08:00');
  await page.getByRole('button', { name: 'Plan it' }).click();
  await page.getByRole('button', { name: 'Remove Publish' }).waitFor();
  assert.equal((await api('GET', '/walks/ferry/@scheduled-transitions')).items[0].at, '2030-05-01T08:00:00.000Z');
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = await page.locator('.notice code').textContent();
  assert.match(link, /ferry/);
  await page.getByLabel('Visible until').fill('2031-01-01T00:00');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  assert.match((await api('GET', '/walks/ferry')).expires, /^2031-01-01T00:00/);
  await context.close();
}

/** Decides a proposal of somebody else. */
async function useProposals(open, api, tools) {
  await api('POST', '/@proposals', {
    title: 'A better title',
    requests: [{ method: 'PATCH', path: '/walks/maps', body: { title: 'Maps of the valley' } }],
  });
  const { page, context } = await asAdmin(open, tools, '/@manage/proposals');
  await page.getByRole('link', { name: 'A better title' }).click();
  await page.getByText('Maps of the valley').first().waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved').first().waitFor();
  assert.equal((await api('GET', '/walks/maps')).title, 'Maps of the valley');
  await context.close();
}

/** Publishes a comment that waits, and rejects another one. */
async function useComments(open, api, tools) {
  await api('PATCH', '/@controlpanels/discussion', { moderation_enabled: true, globally_enabled: true });
  await api('PATCH', '/walks/along-the-river', { allow_discussion: true });
  const { page, context } = await asAdmin(open, tools, '/@manage/comments?state=published');
  await api('POST', '/walks/along-the-river/@comments', { text: 'Is there a bus?' });
  await page.getByLabel('State').selectOption('rejected');
  await page.getByLabel('State').selectOption('published');
  await page.getByRole('button', { name: 'Reject: Is there a bus?' }).click();
  await page.getByText('There is nothing to decide.').waitFor();
  await page.getByLabel('State').selectOption('rejected');
  await page.getByRole('button', { name: 'Publish: Is there a bus?' }).click();
  await page.getByText('There is nothing to decide.').waitFor();
  assert.equal((await api('GET', '/walks/along-the-river/@comments')).items[0].review_state, 'published');
  await context.close();
}

/** Checks a page out, changes the copy, and checks it in. */
async function useCopies(open, api, tools) {
  const { page, context } = await asAdmin(open, tools, '/@manage/content?path=/walks/along-the-river');
  await page.getByRole('button', { name: 'Check out' }).click();
  await page.waitForURL(/copy_of_along-the-river/);
  await api('PATCH', '/walks/copy_of_along-the-river', { description: 'Two inns, one ferry, one bus.' });
  await page.getByRole('button', { name: 'Check in' }).click();
  await page.waitForURL(/walks%2Falong-the-river/);
  assert.equal((await api('GET', '/walks/along-the-river')).description, 'Two inns, one ferry, one bus.');
  await context.close();
}

/** Sets the focal point of a picture with a slider. */
async function useFocalPoint(open, api, tools) {
  const data = readFileSync(join(ROOT, 'compare/files/picture.png')).toString('base64');
  const image = { data, encoding: 'base64', filename: 'mill.png', 'content-type': 'image/png' };
  await api('POST', '/weather', { '@type': 'Image', id: 'mill', title: 'The mill', image });
  const { page, context } = await asAdmin(open, tools, '/@manage/content?path=/weather/mill&tab=edit');
  await page.getByLabel('Focal point, from the left').fill('80');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const stored = await api('GET', '/weather/mill');
  assert.deepEqual(stored.image.focal_point, { x: 0.8, y: 0.5 });
  assert.equal(stored.image.filename, 'mill.png');
  await page.getByRole('button', { name: 'Back to the middle' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  assert.equal((await api('GET', '/weather/mill')).image.focal_point ?? null, null);
  await context.close();
}

/** Sets a crop of a scale by keys, drags its frame, and removes it; the scale shows the part alone. */
async function useCrops(open, api, tools) {
  const { page, context } = await asAdmin(open, tools, '/@manage/content?path=/weather/mill&tab=edit');
  const save = async () => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    return (await api('GET', '/weather/mill')).image;
  };
  const whole = (await api('GET', '/weather/mill')).image;
  await page.getByLabel('Crop of the scale').selectOption('preview');
  await page.getByRole('button', { name: 'Set a crop' }).click();
  const frame = page.getByRole('button', { name: 'Crop of preview' });
  await frame.press('ArrowLeft');
  await frame.press('ArrowDown');
  await frame.press('Shift+ArrowLeft');
  await page.getByText('From the left 9 %, from above 11 %, width 79 %, height 80 %').waitFor();
  await page.getByRole('img', { name: 'Preview of preview' }).waitFor();
  assert.deepEqual(await tools.violationsOf(page), []);
  const picture = page.locator('.focal-picture:has(.crop-frame) img');
  const [before, addressBefore] = [await frame.boundingBox(), await picture.getAttribute('src')];
  const cropped = await save();
  assert.deepEqual(cropped.crops, { preview: { x: 0.09, y: 0.11, width: 0.79, height: 0.8 } });
  assert.notEqual(cropped.scales.preview.download, whole.scales.preview.download);
  // The scale that showed the picture is cropped now: another one shows it, in the same place.
  await page.waitForFunction(
    ([img, old]) => img.getAttribute('src') !== old && img.complete,
    [await picture.elementHandle(), addressBefore],
  );
  const box = await frame.boundingBox();
  assert.deepEqual([box.width, box.height], [before.width, before.height]);
  await page.mouse.move(box.x + box.width - 6, box.y + box.height - 6);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.up();
  const smaller = (await save()).crops.preview;
  assert.ok(smaller.x === 0.09 && smaller.width < 0.5 && smaller.height < 0.5, JSON.stringify(smaller));
  await page.getByRole('button', { name: 'Remove the crop' }).click();
  const back = await save();
  assert.deepEqual([back.crops ?? null, back.scales], [null, whole.scales]);
  await context.close();
}

/** Exports a part of the site, downloads the file by its link, and removes it. */
async function useExports(open, api, tools) {
  const { page, context } = await asAdmin(open, tools, '/@manage/exports');
  await page.getByText('Nothing is exported.').waitFor();
  await page.getByLabel('Path').fill('/nowhere');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByText('There is nothing at /nowhere.').first().waitFor();
  await page.getByLabel('Path').fill('/walks');
  await page.getByRole('button', { name: 'Export' }).click();
  const link = page.getByRole('link', { name: /^walks-.*\.zip$/ });
  await link.waitFor();
  await page.getByText(/^\d+ objects, \d+ files$/).waitFor();
  assert.deepEqual(await tools.violationsOf(page), []);
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const bytes = readFileSync(await download.path());
  const [made] = (await api('GET', '/@exports')).items;
  assert.deepEqual([bytes.subarray(0, 2).toString(), bytes.length], ['PK', made.bytes]);
  await page.getByRole('button', { name: `Delete: ${made.filename}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Nothing is exported.').waitFor();
  assert.equal((await api('GET', '/@exports')).items_total, 0);
  await context.close();
}

/** Makes a release, checks it, looks at it by its link, publishes it, undoes it, and removes it. */
async function useReleases(open, api, tools) {
  await api('POST', '/', { '@type': 'Page', id: 'prices', title: 'Prices' });
  const { page, context } = await asAdmin(open, tools, '/@manage/releases');
  await page.getByLabel('Title').fill('Summer');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/releases\/[0-9a-f-]{36}/);
  await page.getByLabel('Method').selectOption('PATCH');
  await page.getByLabel('Path').fill('/prices');
  await page.getByLabel('Body').fill('{"title": "Prices of the summer"}');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: /^Delete: PATCH \/prices/ }).waitFor();
  await page.getByRole('button', { name: 'What would change' }).click();
  await page.getByText('It can be published.').waitFor();
  await page.getByText('Prices of the summer').first().waitFor();
  assert.deepEqual(await tools.violationsOf(page), []);
  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.getByRole('link', { name: /preview_token=/ }).waitFor();
  assert.equal((await api('GET', '/prices')).title, 'Prices');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  assert.equal((await api('GET', '/prices')).title, 'Prices of the summer');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone').first().waitFor();
  assert.equal((await api('GET', '/prices')).title, 'Prices');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There are no releases.').waitFor();
  await api('DELETE', '/prices');
  await context.close();
}

export const SETUP_FLOWS = [
  { title: 'roles and permissions', run: useRoles },
  { title: 'workflows', run: useWorkflows },
  { title: 'types and fields', run: useTypes },
  { title: 'rules', run: useRules },
  { title: 'many objects and undo', run: useBulk },
  { title: 'publishing', run: usePublishing },
  { title: 'proposals', run: useProposals },
  { title: 'comments', run: useComments },
  { title: 'working copies', run: useCopies },
  { title: 'focal points', run: useFocalPoint },
  { title: 'crops of scales', run: useCrops },
  { title: 'releases', run: useReleases },
  { title: 'exports', run: useExports, isRefused: true },
];
