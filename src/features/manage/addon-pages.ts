/** Pages that features add: their list, and the modules that fill them. */

import { readFile, stat } from 'node:fs/promises';
import { Type } from 'typebox';
import {
  ConfigError,
  defineService,
  type Feature,
  has,
  KERNEL_FEATURES,
  type Kernel,
  type ManagePage,
  ok,
  type RequestContext,
  type Site,
  say,
  sitePieces,
} from '#core';
import { NotFound } from '#lib/errors';
import { folderPath } from '#lib/process/process';
import { Slot } from '#lib/slots';
import { tagOf } from './built-files.ts';

/** Bytes that a module may have. */
const MAX_MODULE_BYTES = 1_000_000;

type Module = { bytes: Buffer; tag: string };

/** The modules of a serving process by the names of their pages. */
const PAGE_MODULES = new Slot<ReadonlyMap<string, Module>>('modules of manage pages');

/** The pages of all features, in the order of the features. Their names differ, which the kernel checks. */
const pagesOf = (kernel: Kernel): readonly ManagePage[] =>
  kernel.slots.get(KERNEL_FEATURES).flatMap(({ managePages = [] }) => managePages);

/** Reads a file of up to MAX_MODULE_BYTES; returns its size instead of a larger one. */
async function readModule(module: string | URL): Promise<Buffer | number> {
  const path = folderPath(module);
  const { size } = await stat(path);
  return size > MAX_MODULE_BYTES ? size : readFile(path);
}

async function loadModule({ name: feature }: Feature, { name, module }: ManagePage): Promise<Module> {
  const who = `The feature "${feature}" cannot be used: The module of its page "${name}"`;
  const bytes = await readModule(module).catch((error: unknown) => {
    throw new ConfigError(`${who} cannot be read at ${module}.`, { cause: error });
  });
  if (typeof bytes === 'number') throw new ConfigError(`${who} has ${bytes} bytes. It may have ${MAX_MODULE_BYTES}.`);
  return { bytes, tag: tagOf(bytes) };
}

/** Logs the pages that nobody can open because no feature and no site declares their permission. */
function reportUnknownPermissions(kernel: Kernel, site: Site): void {
  const known = new Set(sitePieces.knownPermissions(site));
  for (const { name, permission } of pagesOf(kernel))
    if (!known.has(permission))
      kernel.log.warn(
        { page: name, permission },
        'nobody can open a page of /@manage, because no feature declares its permission',
      );
}

/** Loads the modules of all features. Throws ConfigError, which names the feature, for a module that is missing or too large. */
export async function loadModules(kernel: Kernel): Promise<void> {
  // Several servers may share a kernel.
  if (kernel.slots.find(PAGE_MODULES)) return;
  const modules = new Map<string, Module>();
  for (const feature of kernel.slots.get(KERNEL_FEATURES))
    for (const page of feature.managePages ?? []) modules.set(page.name, await loadModule(feature, page));
  reportUnknownPermissions(kernel, await kernel.sites.current());
  if (!kernel.slots.find(PAGE_MODULES)) kernel.slots.set(PAGE_MODULES, modules);
}

type Reader = Pick<RequestContext, 'kernel' | 'site' | 'caller' | 'resolved'>;

/** The pages that the caller may open; none where the page for those who run the site is switched off. */
const openPages = ({ kernel, site, caller, resolved }: Reader): ManagePage[] =>
  kernel.config.managePage ? pagesOf(kernel).filter(({ permission }) => has(site, caller, resolved, permission)) : [];

/** Returns the module of a page. Throws NotFound, also for a page that the caller may not open. */
export function requireModule(reader: Reader, name: string): Module {
  const page = openPages(reader).find((one) => one.name === name);
  const module = page && reader.kernel.slots.find(PAGE_MODULES)?.get(page.name);
  if (!module) throw new NotFound(`/@manage/modules/${name}`);
  return module;
}

/** GET `@manage-pages`: the pages of features that the caller may open, in the language of the reader. */
export const getManagePages = defineService({
  name: '@manage-pages',
  method: 'GET',
  context: 'site',
  permission: null,
  tag: 'site',
  summary:
    'Lists the pages that add-ons bring to the page for those who run the site, as far as the caller may open them.',
  responses: {
    200: {
      description: 'The pages, by their titles.',
      schema: Type.Array(Type.Object({ name: Type.String(), title: Type.String() })),
    },
  },
  run: async (context) =>
    ok(
      openPages(context)
        .map(({ name, title }) => ({ name, title: say(context.site, title) }))
        .sort((a, b) => a.title.localeCompare(b.title) || (a.name < b.name ? -1 : 1)),
    ),
});
