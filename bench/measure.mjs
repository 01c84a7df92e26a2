import { load, median } from './load.mjs';
import { coldRequest, READS, WRITES } from './scenarios.mjs';

const WARM_UP_SECONDS = 1;

/** Medians of several rounds of one scenario at one target. */
function summary(rounds) {
  const of = (key) => median(rounds.map((round) => round[key]));
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    errors: rounds.reduce((sum, round) => sum + round.errors, 0),
  };
}

async function interleave(targets, rounds, once) {
  const measured = Object.fromEntries(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const target of targets) measured[target.name].push(await once(target));
  }
  return Object.fromEntries(targets.map(({ name }) => [name, summary(measured[name])]));
}

async function measureRead(scenario, { bare, servers, seconds, rounds }) {
  const { path, cold, loggedIn, during } = scenario;
  const headersFor = (server) => (loggedIn ? { Authorization: `Bearer ${server.client.token}` } : {});
  const first = servers[0];
  await bare.copy(path, first.url + path, { Accept: 'application/json', ...headersFor(first) });
  const targets = [
    { name: 'bare', url: bare.url, headers: headersFor(first) },
    ...servers.map((server) => ({
      name: server.name,
      url: server.url,
      headers: headersFor(server),
      client: server.client,
    })),
  ];
  const read = ({ url, headers, client }, duration) =>
    load({
      ...{ url: url + path, headers, seconds: duration },
      ...(cold && client ? { request: coldRequest(path, { Accept: 'application/json', ...headers }) } : {}),
    });
  for (const target of targets) await read(target, WARM_UP_SECONDS);
  return interleave(targets, rounds, async (target) => {
    const stop = target.client === undefined ? undefined : during?.(target.client);
    const result = await read(target, seconds);
    stop?.();
    return result;
  });
}

async function measureWrite({ request }, { servers, seconds, rounds }) {
  return interleave(servers, rounds, async ({ url, client }) =>
    load({ url, connections: 8, seconds, request: await request(client) }),
  );
}

/** Measures every scenario at all servers in short interleaved rounds; calls `report` with each result as it comes. */
export async function measureAll(setting, report) {
  const results = [];
  for (const scenario of READS) {
    const { name, targets, peers } = scenario;
    results.push({ name, targets, peers, figures: await measureRead(scenario, setting) });
    report(results.at(-1));
  }
  const bare = results[0].figures.bare;
  for (const scenario of WRITES) {
    const { name, targets, peers } = scenario;
    results.push({ name, targets, peers, figures: { bare, ...(await measureWrite(scenario, setting)) } });
    report(results.at(-1));
  }
  return results;
}
