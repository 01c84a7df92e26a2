import { Agent, request } from 'node:http';

type Sent = {
  method: string;
  address: string;
  json?: unknown;
  headers?: Record<string, string> | undefined;
  token: string;
};

/** Sends requests over connections that stay open. */
export type Client = { send(sent: Sent): Promise<{ status: number; text: string }>; close(): void };

/** A client of a site, on node:http: for thousands of small requests `fetch` takes a third of all time. */
export function createClient(url: string): Client {
  const agent = new Agent({ keepAlive: true });
  return {
    send: ({ method, address, json, headers: more, token }) =>
      new Promise((resolve, reject) => {
        const body = json === undefined ? '' : JSON.stringify(json);
        const headers = {
          Accept: 'application/json',
          ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
          ...(body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
          ...more,
        };
        const outgoing = request(url + address, { method, agent, headers }, (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () =>
            resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          );
        });
        outgoing.on('error', reject);
        outgoing.end(body);
      }),
    close: () => agent.destroy(),
  };
}
