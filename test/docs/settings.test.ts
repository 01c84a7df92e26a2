import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/core/configuration/environment/config.ts';
import { ConfigError } from '../../src/core/configuration/environment/setting-names.ts';
import { documents } from './documents.ts';
import { fencedBlocks } from './fenced-blocks.ts';

const text = documents().find(({ path }) => path === 'docs/settings.md')?.text ?? '';
/** Rows of the tables of environment variables. */
const rows = [...text.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|.*\|(.*)\| `(.*)` \|$/gm)].map(
  ([, name = '', fallback = '', example = '']) => ({ name, fallback: fallback.trim(), example }),
);

/** The message with which these settings stop the start; empty when they are accepted. */
function problem(environment: Record<string, string>): string {
  try {
    parseConfig(environment);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

describe('docs/settings.md', () => {
  it('docs/settings.md documents every setting and no others', () => {
    // The error for an unknown setting lists all known ones.
    const known = problem({ CANOPY_NONE: '1' }).split('Known settings: ')[1]?.replace('.', '').split(', ') ?? [];
    expect(known).toContain('PORT');
    expect(rows.map(({ name }) => name).sort()).toEqual([...known].sort());
  });

  it('the examples in docs/settings.md are valid', () => {
    expect(rows.filter(({ name, example }) => !example.startsWith(`${name}=`))).toEqual([]);
    const examples = rows.map(({ name, example }) => [name, example.slice(name.length + 1)] as const);
    expect(problem(Object.fromEntries(examples))).toBe('');
  });

  it('docs/settings.md states the defaults', () => {
    const { host, port, dataDir, profile } = parseConfig({});
    const stated = Object.fromEntries(rows.map(({ name, fallback }) => [name, fallback]));
    expect(stated).toMatchObject({
      HOST: `\`${host}\``,
      PORT: `\`${port}\``,
      DATA_DIR: `\`${dataDir}\``,
      PROFILE: `\`${profile}\``,
    });
  });

  it('docs/settings.md shows the messages that stop the start', () => {
    const [commands, messages] = fencedBlocks(text);
    const settings = [...(commands?.text ?? '').matchAll(/^(\w+)=(\S+) npm start$/gm)];
    expect(settings.map(([, name = '', value = '']) => `canopy: ${problem({ [name]: value })}\n`).join('')).toBe(
      messages?.text,
    );
  });
});
