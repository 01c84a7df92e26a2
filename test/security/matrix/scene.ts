import { rm } from 'node:fs/promises';
import { loadConfiguration, writeConfiguration } from '../../../src/core/configuration/statements/configuration.ts';
import { type AddonFolder, addonFolder } from '../../controlpanels/addon-files.ts';
import type { Engine } from '../../support/engines.ts';
import { type Json, startTestSite, type TestSite } from '../../support/site.ts';
import { RED } from './belongings.ts';
import { addCallers, type Caller, remember } from './callers.ts';
import { type Client, createClient } from './client.ts';
import { noteWrites } from './note-writes.ts';
import { createPages, type Pages } from './pages.ts';

/** One site for all rows, with all callers. */
export type Scene = Pages & {
  site: TestSite;
  /** The folder of the add-ons that can be installed. */
  addons: AddonFolder;
  callers: readonly Caller[];
  send: Client['send'];
  /** The tables with changes since the last call. */
  written(): Promise<string[]>;
  /** A number that was never returned before. */
  number(): number;
  /** Undoes changes of the site root and of the callers. */
  restore(): Promise<void>;
  close(): Promise<void>;
};

/** Creates a thing that a row names. Returns the text that replaces its name. */
export type MakeThing = (scene: Scene, caller: Caller) => Promise<string>;

/**
 * Sets a logo, a picture of the site root as pages have one, so that each address of a file exists, and an address for
 * messages.
 */
async function configure({ kernel }: TestSite): Promise<void> {
  const { rows } = await loadConfiguration(kernel.db);
  const logo = `filenameb64:${Buffer.from('logo.png').toString('base64')};datab64:${RED}`;
  const changed = rows.flatMap((row) => {
    const data = row.data as Json;
    if (row.kind === 'type' && row.id === 'Site')
      return { ...row, data: { ...data, behaviors: [...data.behaviors, 'volto.preview_image'] } };
    if (row.kind === 'setting' && row.id === 'mail')
      return { ...row, data: { ...data, email_from_address: 'site@example.org' } };
    return row.kind === 'setting' && row.id === 'site' ? { ...row, data: { ...data, site_logo: logo } } : [];
  });
  await writeConfiguration(kernel.db, changed);
}

/** Starts the site. Its mail server cannot be reached, so that mails wait in the outbox. */
export async function startScene(engine: Engine): Promise<Scene> {
  const addons = await addonFolder();
  const environment = { SMTP_URL: 'smtp://127.0.0.1:9', ADDONS_DIR: addons.folder };
  const site = await startTestSite(engine, { environment });
  await configure(site);
  const callers = await addCallers(site);
  const client = createClient(site.url);
  const pages = await createPages(site.kernel);
  const written = await noteWrites(site.kernel.db);
  let numbers = 0;
  let restore = async (): Promise<void> => {};
  return {
    ...pages,
    site,
    addons,
    callers,
    send: client.send,
    written,
    async enter(state) {
      await pages.enter(state);
      restore = await remember(site, callers);
      await written();
    },
    number() {
      numbers += 1;
      return numbers;
    },
    restore: () => restore(),
    async close() {
      client.close();
      await site.close();
      await rm(addons.folder, { recursive: true, force: true });
    },
  };
}
