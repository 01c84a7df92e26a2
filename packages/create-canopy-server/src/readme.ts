import type { Project } from './project.ts';

function contents({ configFile, frontEnd, addOn }: Project): string {
  const rows = [
    [configFile, 'features and settings of the site'],
    ...(addOn ? [[`${addOn.folder}/`, 'a package with a feature of your own, and its tests']] : []),
    ...(frontEnd ? [['front-end/', `${frontEnd.title}, with packages of its own`]] : []),
    ['compose.yaml', 'the same in containers, for development'],
    ['.env.example', 'settings of a machine: copy it to `.env`'],
    ['data/', 'the database and the files of the site, made by the first start; not in git'],
  ];
  return rows.map(([path, what]) => `| \`${path}\` | ${what} |`).join('\n');
}

const ofFrontEnd = ({ frontEnd }: Project): string =>
  frontEnd
    ? `
## The front end

In another terminal, while Canopy runs:

\`\`\`sh
npm ${frontEnd.id === 'volto' ? 'ci' : 'install'} --prefix front-end
npm run front-end
\`\`\`

The site is at ${frontEnd.address}.${frontEnd.patience && ` ${frontEnd.patience}`} \`${frontEnd.apiSetting}\` is the address of Canopy where it is not
http://127.0.0.1:8080.
`
    : '';

const ofAddOn = ({ addOn, configFile }: Project): string =>
  addOn
    ? `
## The add-on

\`${addOn.folder}\` has one of each kind that a feature can bring: delete what you do not need, and its line in \`src/index.ts\`. \`npm test\`
runs its tests, \`npm start\` builds it first. \`npx canopy-server new-addon <name>\` makes another package; name its folder in
\`features\` of \`${configFile}\`.
`
    : '';

/** Returns the README of a project. */
export function readme(project: Project): string {
  const { name, addOn } = project;
  return `# ${name}

A site with [Canopy](https://github.com/canopy-server/canopy-server), a content server that speaks Plone's REST API. Node 20.19 or newer:

\`\`\`sh
npm install
${addOn ? 'npm test\n' : ''}npm start
\`\`\`

The first start makes the site in \`data/\` and prints the password of the user \`admin\`, once. Canopy serves http://localhost:8080.

| Where | What |
|---|---|
${contents(project)}
${ofFrontEnd(project)}${ofAddOn(project)}
## In containers

\`\`\`sh
cp .env.example .env    # then choose ADMIN_PASSWORD in it
docker compose up
\`\`\`

## Upgrade

Stop the server, make a backup of \`data/\` and of the database, write the new version of \`canopy-server\` into package.json${
    addOn
      ? ` and
into that of the add-on`
      : ''
  }, and run \`npm install\`. The documentation of the installed version is in \`node_modules/canopy-server/docs\`: begin with
\`first-steps.md\`, \`settings.md\` and \`add-ons.md\`.
`;
}
