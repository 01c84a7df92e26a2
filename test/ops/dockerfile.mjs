// Reads a Dockerfile as far as ours goes: stages with their instructions, in order.
import { readFileSync } from 'node:fs';

/** @typedef {{ name: string, value: string, flags: Record<string, string> }} Instruction */
/** @typedef {{ base: string, name: string | undefined, instructions: Instruction[] }} Stage */

const KNOWN = new Set([
  'WORKDIR',
  'COPY',
  'RUN',
  'ENV',
  'VOLUME',
  'EXPOSE',
  'USER',
  'HEALTHCHECK',
  'ENTRYPOINT',
  'CMD',
]);

/** @param {string} path @returns {Stage[]} */
export function parseDockerfile(path) {
  /** @type {Stage[]} */
  const stages = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [, base = '', stage] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      stages.push({ base, name: stage, instructions: [] });
      continue;
    }
    if (!KNOWN.has(name)) throw new Error(`Not understood in the Dockerfile: ${line}`);
    /** @type {Record<string, string>} */
    const flags = {};
    const value = rest.replace(/^(?:--[a-z-]+=\S+ )+/, (all) => {
      for (const [, flag = '', given = ''] of all.matchAll(/--([a-z-]+)=(\S+)/g)) flags[flag] = given;
      return '';
    });
    stages.at(-1)?.instructions.push({ name, value, flags });
  }
  return stages;
}

/** The values of an instruction of a stage. @param {Stage} stage @param {string} name */
export const valuesOf = (stage, name) => stage.instructions.filter((one) => one.name === name);

/** The list of an instruction in its form with brackets; throws for the form that a shell runs. @param {string} value @returns {string[]} */
export const listOf = (value) => JSON.parse(value.replace(/^CMD /, ''));

/** The environment that a stage sets. @param {Stage} stage @returns {Record<string, string>} */
export const environmentOf = (stage) =>
  Object.fromEntries(valuesOf(stage, 'ENV').flatMap(({ value }) => value.split(' ').map((pair) => pair.split('=', 2))));
