import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadVersion, templateFolder } from './package-files.ts';
import type { Project } from './project.ts';
import { projectFiles } from './project-files.ts';
import { writeAddon } from './write-addon.ts';

/** The address of Canopy for a front end that is started beside it. */
const CANOPY = 'http://127.0.0.1:8080';
const CLIENT = '@canopy-server/client';

/** Copies the example of the front end, with the name of the project in place of its own. */
function writeFrontEnd({ folder, name, frontEnd }: Project): void {
  if (!frontEnd) return;
  const template = templateFolder(frontEnd.id);
  const target = join(folder, 'front-end');
  const left = new Set(frontEnd.leftOut.map((one) => join(template, one)));
  cpSync(template, target, { recursive: true, filter: (path) => !left.has(path) });
  // npm does not pack .npmrc, so the template has it under another name.
  if (existsSync(join(target, 'npmrc'))) renameSync(join(target, 'npmrc'), join(target, '.npmrc'));
  const manifest = join(target, 'package.json');
  const content: { name: string; dependencies: Record<string, string> } = JSON.parse(readFileSync(manifest, 'utf8'));
  const own = content.name;
  // Volto's start program would start a Canopy of its own.
  const config = frontEnd.id === 'volto' ? { config: { api: CANOPY } } : {};
  const { dependencies } = content;
  // The client has the version of this package, as the server has.
  if (CLIENT in dependencies) dependencies[CLIENT] = loadVersion();
  const named = { ...content, name: `${name}-front-end`, ...config };
  writeFileSync(manifest, `${JSON.stringify(named, null, 2)}\n`);
  const lock = join(target, 'package-lock.json');
  if (existsSync(lock)) writeFileSync(lock, readFileSync(lock, 'utf8').replaceAll(`"${own}"`, `"${named.name}"`));
}

/** Writes all files. */
function write(project: Project): void {
  const { folder, addOn, server } = project;
  for (const [path, text] of Object.entries(projectFiles(project))) writeFileSync(join(folder, path), text);
  if (addOn) {
    mkdirSync(join(folder, 'add-ons'));
    writeAddon(templateFolder('addon'), join(folder, addOn.folder), { name: addOn.name, server });
  }
  writeFrontEnd(project);
}

/** Returns why no project can be made in a folder, in one line; undefined for a missing or an empty folder. */
export function folderProblem(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const [first] = readdirSync(folder);
  if (first === undefined) return undefined;
  return `${folder} is not empty: it has ${basename(first)}. Name another folder, or one that is not there yet.`;
}

/** Writes a project into its folder, which must be missing or empty. After a failure the written files are removed again. */
export function makeProject(project: Project): void {
  const { folder } = project;
  const made = mkdirSync(folder, { recursive: true });
  try {
    write(project);
  } catch (error) {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    throw error;
  }
}
