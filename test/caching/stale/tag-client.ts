import { Agent, request } from 'node:http';

/** Reads from a server over connections that stay open. */
export type TagClient = {
  /** The response for the bearer of a token, empty for a visitor; 304 when the client has it already under the entity tag. */
  get(
    address: string,
    { token, tag }: { token: string; tag: string | undefined },
  ): Promise<{ status: number; text: string; tag: string }>;
  close(): void;
};

/** A client of a server that answers as that of `host`. */
export function createTagClient(url: string, host: string): TagClient {
  const agent = new Agent({ keepAlive: true });
  return {
    get: (address, { token, tag }) =>
      new Promise((resolve, reject) => {
        const headers = {
          ...{ Accept: 'application/json', Host: host },
          ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
          ...(tag ? { 'If-None-Match': tag } : {}),
        };
        const outgoing = request(url + address, { agent, headers }, (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              text: Buffer.concat(chunks).toString('base64'),
              tag: incoming.headers.etag ?? '',
            }),
          );
        });
        outgoing.on('error', reject);
        outgoing.end();
      }),
    close: () => agent.destroy(),
  };
}
