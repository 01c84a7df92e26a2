/** A response that a script did not expect; its message shows the request and the body. */
export class UnexpectedAnswer extends Error {
  constructor(method, path, status, text) {
    super(`${method} ${path} answered ${status}: ${text.slice(0, 300)}`);
    this.status = status;
  }
}

/**
 * A small client for a server, with the headers of all its requests.
 *
 * `send(method, path, json)` returns `{ status, body, location }` for 2xx and throws UnexpectedAnswer
 * for all other statuses. A network failure throws what fetch throws.
 */
export function clientOf(url, headers, timeout = 30_000) {
  return {
    url,
    async send(method, path, json) {
      const response = await fetch(url + path, {
        method,
        headers: {
          Accept: 'application/json',
          ...headers,
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        signal: AbortSignal.timeout(timeout),
      });
      const text = await response.text();
      if (!response.ok) throw new UnexpectedAnswer(method, path, response.status, text);
      return {
        status: response.status,
        body: text === '' ? undefined : JSON.parse(text),
        location: response.headers.get('location') ?? undefined,
      };
    },
  };
}

/** Logs in at a server and returns a client with the token of that session, which is in `token`. */
export async function connect(url, { login = 'admin', password = 'admin', timeout = 30_000 } = {}) {
  const { body } = await clientOf(url, {}, timeout).send('POST', '/@login', { login, password });
  return { ...clientOf(url, { Authorization: `Bearer ${body.token}` }, timeout), token: body.token };
}

/** Path of a resource from its absolute `@id`. */
export const pathOf = (id) => new URL(id).pathname;
