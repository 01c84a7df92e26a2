/** An answer that a script did not expect; its message shows the request and the body. */
export class UnexpectedAnswer extends Error {
  constructor(method, path, status, text) {
    super(`${method} ${path} answered ${status}: ${text.slice(0, 300)}`);
    this.status = status;
  }
}

/**
 * Logs in at a server and answers a small client for it.
 *
 * `send(method, path, json)` answers `{ status, body, location }` for 2xx and throws UnexpectedAnswer
 * for all other statuses. A network failure throws what fetch throws.
 */
export async function connect(url, { login = 'admin', password = 'admin', timeout = 30_000 } = {}) {
  const headers = { Accept: 'application/json' };
  async function send(method, path, json) {
    const response = await fetch(url + path, {
      method,
      headers: json === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
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
  }
  const { body } = await send('POST', '/@login', { login, password });
  headers.Authorization = `Bearer ${body.token}`;
  return { url, token: body.token, send };
}

/** Path of a resource from its absolute `@id`. */
export const pathOf = (id) => new URL(id).pathname;
