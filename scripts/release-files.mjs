// Checks that what is here is the release of a tag, and writes what belongs to it into .cache/release: the notes of CHANGELOG.md, and a
// list of what each package is made of (CycloneDX). npm run release-files -- v0.1.0
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OUT = '.cache/release';
/** The largest list in bytes. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;

/** Returns the folders of the packages: the root, and those in packages/. */
const folders = () => ['.', ...readdirSync('packages').map((name) => join('packages', name))];

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Returns the part of a changelog under the heading of a version. Throws when it has none. */
function notesOf(changelog, version) {
  const [, ...parts] = changelog.split(/^## /m);
  const part = parts.find((one) => /^v?([\w.-]+)/.exec(one)?.[1] === version);
  const notes = part?.slice(part.indexOf('\n')).trim();
  if (!notes)
    throw new Error(`CHANGELOG.md has no section "## ${version}" with text: run "npm run version-packages" first.`);
  return `${notes}\n`;
}

/** Throws unless all packages have the version of the tag, and no change waits for a version. */
function checkVersions(version, manifests) {
  for (const { name, version: own } of manifests)
    if (own !== version) throw new Error(`The tag is of ${version}, but ${name} is ${own}.`);
  const waiting = readdirSync('.changeset').filter((name) => name.endsWith('.md') && name !== 'README.md');
  if (waiting.length > 0)
    throw new Error(`Changes wait for a version: ${waiting.join(', ')}. Run "npm run version-packages" first.`);
}

/**
 * Returns what a package is made of when it is installed. npm names the root of the repository as the subject of each list, by its
 * folder, and lists all workspaces: the subject is the package here, and the other packages are left out.
 */
function listOf(name, names, version) {
  const refOf = (one) => `${one}@${version}`;
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
  const which = name === names[0] ? [] : ['--workspace', name];
  const { status, stdout, stderr } = spawnSync('npm', [...args, ...which], {
    encoding: 'utf8',
    maxBuffer: MAX_LIST_BYTES,
  });
  if (status !== 0) throw new Error(`npm sbom ended with ${status}: ${stderr}`);
  const list = JSON.parse(stdout);
  const own = list.components.find((one) => one['bom-ref'] === refOf(name)) ?? list.metadata.component;
  const ours = names.map(refOf);
  const components = list.components.filter((one) => !ours.includes(one['bom-ref']));
  const refs = new Set([own, ...components].map((one) => one['bom-ref']));
  const dependencies = list.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  return { ...list, metadata: { ...list.metadata, component: { ...own, name } }, components, dependencies };
}

try {
  const version = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(process.argv[2] ?? '')?.[1];
  if (version === undefined) throw new Error('Name the tag, such as v0.1.0.');
  const manifests = folders().map(manifestOf);
  checkVersions(version, manifests);
  const notes = notesOf(readFileSync('CHANGELOG.md', 'utf8'), version);
  mkdirSync(OUT, { recursive: true });
  writeFileSync(join(OUT, 'notes.md'), notes);
  const names = manifests.map(({ name }) => name);
  for (const name of names)
    writeFileSync(
      join(OUT, `${name.replace(/^@/, '').replace('/', '-')}-${version}.cdx.json`),
      `${JSON.stringify(listOf(name, names, version), null, 2)}\n`,
    );
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
