import { CHANGE_FEED } from '../core/cache/change-feed.ts';
import { ResponseCache } from '../core/cache/response-cache.ts';
import { RowCache } from '../core/cache/row-cache.ts';
import { UNWATCHED_TABLES } from '../core/cache/unwatched-tables.ts';
import { ConfigError } from '../core/configuration/environment/setting-names.ts';
import { Arrivals } from '../core/http/arrivals.ts';
import { cachedReads } from '../core/http/cached-reads.ts';
import { createHttpServer, type HttpServer } from '../core/http/create-http-server.ts';
import { KeyedWrites } from '../core/http/idempotency/keyed-writes.ts';
import { OBSERVED } from '../core/http/observed.ts';
import { confirmForOutside } from '../core/http/outside-caches.ts';
import { onReplicas } from '../core/http/replica-reads.ts';
import { givingWay } from '../core/http/request-database.ts';
import { withLayers } from '../core/http/request-layers.ts';
import { perform, type Server } from '../core/http/request-path.ts';
import { REQUEST_MEANS } from '../core/http/requests-within.ts';
import { AskedAddresses } from '../core/http/warm-up/asked-addresses.ts';
import { WarmUp } from '../core/http/warm-up/warm-up.ts';
import { Work } from '../core/http/work.ts';
import type { Kernel } from '../core/kernel/kernel.ts';
import type { Authenticator } from '../core/people/authenticator.ts';
import { KEYRING_CHANNEL } from '../core/people/keyring.ts';
import { type AuthContext, createAuthContext } from '../core/people/login.ts';
import type { OnLoginFailure } from '../core/people/login-throttle.ts';
import { ANONYMOUS } from '../core/security/caller.ts';
import { type BackgroundWork, KERNEL_FEATURES } from '../core/services/feature.ts';
import { loadTokenOptions } from '../core/services/login.ts';
import { SERVICES } from '../core/services/service-registry.ts';
import type { ProblemLog } from '../database/database.ts';
import type { PostgresReplicas } from '../database/postgres/replicas.ts';
import { REPLICAS } from '../database/replicas.ts';
import { repeatWork } from '../lib/process/repeat-work.ts';
import { HOUR_MS } from '../lib/time/milliseconds.ts';

/** The authenticators of all features. Throws when two have the same name. */
function authenticatorsOf(kernel: Kernel, auth: () => AuthContext): Authenticator[] {
  const features = kernel.slots.get(KERNEL_FEATURES);
  const made = features.flatMap(({ authenticators = [] }) => authenticators.map((make) => make({ kernel, auth })));
  const twice = made.find(({ name }, i) => made.findIndex((other) => other.name === name) !== i);
  if (twice) throw new ConfigError(`There are two ways to authenticate with the name ${twice.name}.`);
  return made;
}

/** Emits the event of failed logins. A failure of its subscribers is only logged, so that it does not affect the response. */
const announceFailures =
  ({ db, events, log }: Kernel): OnLoginFailure =>
  async (failure) => {
    if (!events.isWanted('user.loginFailed', failure)) return;
    try {
      await db.transaction((tx) => events.emit('user.loginFailed', failure, { tx, caller: ANONYMOUS }));
    } catch (error) {
      log.error({ err: error }, 'what follows on a failed login has failed');
    }
  };

/** The replicas of the config; undefined without any. */
async function replicasOf({ config, db, log }: Kernel): Promise<PostgresReplicas | undefined> {
  if (config.databaseReplicaUrls.length === 0) return undefined;
  const report: ProblemLog = (message, error) =>
    error === undefined ? log.warn(message) : log.error({ err: error }, message);
  const { PostgresReplicas } = await import('../database/postgres/replicas.ts');
  return new PostgresReplicas(config.databaseReplicaUrls, { db, log: report });
}

/** Starts the work of all features. When one cannot start, ends the work of those before it, which would go on with a closed database. */
async function startFeatures(kernel: Kernel): Promise<BackgroundWork[]> {
  const started: BackgroundWork[] = [];
  try {
    for (const feature of kernel.slots.get(KERNEL_FEATURES))
      if (feature.start) started.push(await feature.start(kernel));
    return started;
  } catch (error) {
    for (const work of started) work.release?.();
    await Promise.all(started.map((work) => work.close()));
    throw error;
  }
}

/** Observers of the responses of services, for tests. */
export type Watch = Pick<Server, 'onResponse' | 'onUnwatched'>;

/** Makes the HTTP server of a running kernel: authentication, the services, the protocol. Tests observe its responses. */
export async function createServer(
  kernel: Kernel,
  watch: Watch = {},
): Promise<{ server: Server; app: HttpServer; close(): Promise<void> }> {
  let site = await kernel.sites.current();
  const auth: AuthContext = await createAuthContext(
    kernel.db,
    {
      current: () => loadTokenOptions(site),
      async follow(configuration) {
        site = await kernel.sites.at(configuration);
      },
    },
    {
      authenticators: authenticatorsOf(kernel, () => auth),
      secondFactors: kernel.slots
        .get(KERNEL_FEATURES)
        .flatMap(({ secondFactors = [] }) => secondFactors.map((make) => make({ kernel, auth: () => auth }))),
      onLoginFailure: announceFailures(kernel),
    },
  );
  const follow = async () => {
    site = await kernel.sites.current();
  };
  const services = kernel.slots.get(SERVICES);
  // Several servers may share a kernel.
  if (!kernel.slots.find(REQUEST_MEANS)) kernel.slots.set(REQUEST_MEANS, { auth, services });
  const stops = [
    await kernel.sites.listen(
      () => void follow().catch((error) => kernel.log.error({ err: error }, 'reading the configuration failed')),
    ),
    await kernel.db.listen(
      KEYRING_CHANNEL,
      () =>
        void auth.keyring
          .reload(kernel.db)
          .catch((error) => kernel.log.error({ err: error }, 'reading the keys failed')),
    ),
  ];
  const background = await startFeatures(kernel);
  const changes = kernel.slots.get(CHANGE_FEED);
  await changes.current();
  const replicas = await replicasOf(kernel);
  if (replicas) kernel.slots.set(REPLICAS, replicas);
  const { db, config, slots } = kernel;
  const keyedWrites = new KeyedWrites(config.idempotencyHours * HOUR_MS);
  background.push(
    repeatWork((signal) => keyedWrites.prune(db, signal), {
      intervalMs: HOUR_MS,
      onError: (error) => kernel.log.error({ err: error }, 'removing kept responses failed'),
    }),
  );
  const previews = slots.get(KERNEL_FEATURES).flatMap((feature) => feature.previews ?? []);
  const workplace = { kernel, auth, services, keyedWrites, previews, ...watch };
  const { caches } = slots.get(OBSERVED);
  const arrivals = new Arrivals();
  const layers = [
    confirmForOutside(kernel),
    ...(replicas ? [onReplicas({ db, replicas, changes, services: workplace.services })] : []),
    cachedReads({
      db,
      rows: new RowCache(changes, config.rowCacheBytes, caches.rows),
      unwatched: slots.get(UNWATCHED_TABLES),
    }),
    givingWay(arrivals),
  ];
  const asked = config.warmUp && config.responseCacheBytes > 0 ? new AskedAddresses() : undefined;
  const server: Server = {
    ...workplace,
    asked,
    uncachedParameters: [...auth.authenticatingParameters, ...previews.flatMap(({ parameters }) => parameters)],
    cache: new ResponseCache(changes, config.responseCacheBytes, caches.responses),
    work: new Work(auth),
    arrivals,
    perform: withLayers((work) => perform(workplace, work), layers),
  };
  const app = createHttpServer(server);
  if (asked) {
    const warmUp = new WarmUp(server, asked);
    background.push(warmUp);
    app.server.once('listening', () => warmUp.begin());
  }
  return {
    server,
    app,
    async close() {
      for (const work of background) work.release?.();
      await app.close();
      await Promise.all(background.map((work) => work.close()));
      for (const stop of stops) await stop();
      await replicas?.close();
    },
  };
}
