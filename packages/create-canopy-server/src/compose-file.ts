import type { Project } from './project.ts';

const IMAGE = 'node:24-bookworm';
/** Volto builds with Node 22 at most. */
const VOLTO_IMAGE = 'node:22-bookworm';

/** The program that tests if Canopy responds, as one argument. */
const ASK = "fetch('http://127.0.0.1:8080/@site').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))";

const port = (address: string): string => new URL(address).port;

function frontEndService({ frontEnd }: Project): string {
  if (!frontEnd) return '';
  const { id, title, address, apiSetting } = frontEnd;
  const command = id === 'volto' ? 'npm ci && npm start' : 'npm install && npm run build && npm start';
  return `  front-end:
    # ${title}
    image: ${id === 'volto' ? VOLTO_IMAGE : IMAGE}
    working_dir: /site/front-end
    command: sh -c "${command}"
    environment:
      ${apiSetting}: http://canopy:8080
      HOST: 0.0.0.0
      PORT: "${port(address)}"
    ports:
      - "${port(address)}:${port(address)}"
    volumes:
      - .:/site
      # The packages of a container are those of its system.
      - front-end-packages:/site/front-end/node_modules
    depends_on:
      canopy:
        condition: service_healthy
`;
}

/** Returns the compose file of a project: Canopy and the front end, with the packages of the folder. */
export function composeFile(project: Project): string {
  const { frontEnd } = project;
  const isVolto = frontEnd?.id === 'volto';
  // Browsers load pictures from Canopy directly, unless Volto's proxy passes them on.
  const addresses = isVolto
    ? `      # Volto's proxy is in the network of these containers.\n      TRUST_PROXY: uniquelocal\n`
    : '      # Links in responses begin with the address that browsers use.\n      PUBLIC_URL: http://localhost:8080\n';
  return `# ${frontEnd ? `Canopy and ${frontEnd.title}` : 'Canopy'} in containers: docker compose up, then ${frontEnd?.address ?? 'http://localhost:8080'}
# They run what is in this folder, for development: the first start installs the packages.
services:
  canopy:
    image: ${IMAGE}
    working_dir: /site
    command: sh -c "npm install && npm start"
    environment:
      HOST: 0.0.0.0
      PORT: "8080"
      DATA_DIR: /data
${addresses}      ADMIN_PASSWORD: \${ADMIN_PASSWORD:?Choose a password for the user admin in .env}
    ports:
      - "8080:8080"
    volumes:
      - .:/site
      - packages:/site/node_modules
      - data:/data
    healthcheck:
      test: ["CMD", "node", "-e", "${ASK}"]
      interval: 5s
      retries: 120
${frontEndService(project)}volumes:
  data:
  packages:
${frontEnd ? '  front-end-packages:\n' : ''}`;
}
