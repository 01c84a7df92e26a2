import { composeFile } from './compose-file.ts';
import type { Project } from './project.ts';
import { readme } from './readme.ts';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function manifest({ name, server, frontEnd, addOn }: Project): string {
  return json({
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    ...(addOn && { workspaces: ['add-ons/*'] }),
    scripts: {
      ...(addOn && { build: 'npm run build --workspaces --if-present', prestart: 'npm run build' }),
      // Compiling the embedded database in one thread instead of four saves some 60 MB.
      start: 'node --v8-pool-size=1 node_modules/canopy-server/dist/bin/canopy.js start',
      ...(addOn && { test: 'npm test --workspaces --if-present' }),
      ...(frontEnd?.types && { types: `canopy-server types --output=front-end/${frontEnd.types}` }),
      ...(frontEnd && { 'front-end': `npm run ${frontEnd.script} --prefix front-end` }),
    },
    dependencies: { 'canopy-server': server },
  });
}

function config({ frontEnd, addOn }: Project): string {
  const members = [
    ...(addOn
      ? [
          `  // Features beside those of the server: packages, or folders of packages.\n  features: ['./${addOn.folder}'],`,
        ]
      : []),
    ...(frontEnd
      ? [
          `  // Settings that the environment does not have: see node_modules/canopy-server/docs/settings.md.\n  settings: {\n${Object.entries(
            frontEnd.settings,
          )
            .map(([name, value]) => `    ${name}: '${value}',\n`)
            .join('')}  },`,
        ]
      : []),
  ];
  const body = members.length === 0 ? '{}' : `{\n${members.join('\n')}\n}`;
  return `import { existsSync } from 'node:fs';
import { defineConfig } from 'canopy-server';

// Passwords and other settings of this machine: see .env.example.
if (existsSync('.env')) process.loadEnvFile('.env');

export default defineConfig(${body});
`;
}

const ENVIRONMENT = `# Copy this file to .env, which \`npm start\` and \`docker compose up\` read. Do not commit .env.

# The password of the user admin on a new site; without it the first start makes one and prints it.
# ADMIN_PASSWORD=
# The port of Canopy, 8080 unless given.
# PORT=8080
# PostgreSQL instead of the embedded database.
# DATABASE_URL=postgres://canopy:secret@localhost:5432/canopy
# The address of the site for the outside, behind a proxy.
# PUBLIC_URL=https://www.example.org
`;

/** Returns the files of a project beside its add-on and its front end: texts by path. */
export function projectFiles(project: Project): Record<string, string> {
  const ignored = ['node_modules/', 'dist/', 'data/', '.env', 'token.txt', ...(project.frontEnd?.written ?? [])];
  return {
    'package.json': manifest(project),
    [project.configFile]: config(project),
    'compose.yaml': composeFile(project),
    'README.md': readme(project),
    '.env.example': ENVIRONMENT,
    '.gitignore': `${ignored.join('\n')}\n`,
  };
}
