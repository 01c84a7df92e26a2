import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { defineService, ok, type RequestContext } from '#core';
import { isJsonObject } from '#lib/json-object';
import { packageFolder } from '#lib/process/process';
import { Slot } from '#lib/slots';
import { loadUpgradeState } from '../upgrades/upgrade-site.ts';

/** The version of this program. */
export const PROGRAM_VERSION = new Slot<string>('version of the program');

/** Loads the version from the manifest of the package. */
export function loadProgramVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFolder('package.json'), 'utf8'));
  return isJsonObject(manifest) ? String(manifest.version) : '0';
}

/**
 * The version of plone.restapi that the API is compatible with. Volto compares it before it shows the members of groups,
 * and fails without it.
 */
const CONTRACT_VERSION = '10.0.2';

const ENGINES = { postgresql: 'PostgreSQL', pglite: 'PostgreSQL (PGlite)' };

const SystemInfo = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  items: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
  plone_restapi_version: Type.String({ description: 'Version of plone.restapi that this API is compatible with.' }),
  debug_mode: Type.Literal('No'),
  upgrade: Type.Boolean({ description: 'Whether `@upgrade` has something to do.' }),
  node_version: Type.String(),
  postgres_version: Type.String(),
  plone_version: Type.String(),
  cmf_version: Type.String(),
  zope_version: Type.String(),
  python_version: Type.String(),
  pil_version: Type.String(),
  plone_gs_metadata_version_installed: Type.String({ description: 'Version of the profile that the site has.' }),
  plone_gs_metadata_version_file_system: Type.String({ description: 'Version of the profile of this program.' }),
});

/** Labelled versions (Nick), and the keys of Plone's response that Volto reads; Zope, CMF and Python do not exist here. */
async function systemInfo({ kernel, base }: RequestContext): Promise<Static<typeof SystemInfo>> {
  const { engine, version } = await kernel.db.figures();
  const { versions } = await loadUpgradeState(kernel);
  const program = kernel.slots.get(PROGRAM_VERSION);
  // Volto always shows these names in its list, also without a version.
  const absent = `none (Canopy ${program})`;
  return {
    '@id': `${base}/@system`,
    items: [
      { label: 'Canopy', value: program },
      { label: 'Node.js', value: process.version },
      { label: ENGINES[engine], value: version },
      { label: 'Files', value: kernel.blobs.kind },
      { label: 'Language model', value: kernel.config.llm?.model ?? 'none' },
    ],
    node_version: process.version,
    postgres_version: version,
    plone_version: absent,
    plone_restapi_version: CONTRACT_VERSION,
    cmf_version: absent,
    zope_version: absent,
    python_version: absent,
    pil_version: absent,
    debug_mode: 'No',
    plone_gs_metadata_version_installed: versions.instance,
    plone_gs_metadata_version_file_system: versions.fs,
    upgrade: versions.instance !== versions.fs,
  };
}

/** GET `@system`: the versions of the program and its environment. */
export const getSystem = defineService({
  name: '@system',
  method: 'GET',
  context: 'site',
  permission: 'Overview control panel',
  summary: 'Versions of the program, of what it runs on, and of the site.',
  responses: { 200: { description: 'The versions.', schema: SystemInfo } },
  run: async (context) => ok(await systemInfo(context)),
});
