import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a server, which can cut connections and reject new ones. */
export type CuttingProxy = {
  port: number;
  /** Cuts all present connections. Returns their number. */
  cut(): number;
  /** Rejects (`true`) or accepts (`false`) new connections. */
  refuse(isRefusing: boolean): void;
  close(): Promise<void>;
};

/** Starts a proxy on a free port of this machine. */
export async function startCuttingProxy(target: { host: string; port: number }): Promise<CuttingProxy> {
  const pairs = new Set<Socket>();
  let refusing = false;
  const server = createServer((client) => {
    if (refusing) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => {});
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
    pairs.add(client);
    client.on('close', () => pairs.delete(client));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): number => {
    const open = [...pairs];
    for (const client of open) client.destroy();
    return open.length;
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    refuse: (isRefusing) => {
      refusing = isRefusing;
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
