// Requests of the test of exports, by a Manager unless it says otherwise.

const TIMEOUT_MS = 120_000;

const JSON_HEADERS = { Accept: 'application/json', 'Content-Type': 'application/json' };

/** Sends a login and returns the status and the token. */
export async function logIn(url, login, password) {
  const response = await fetch(`${url}/@login`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: JSON.stringify({ login, password }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { token } = await response.json();
  return { status: response.status, token };
}

/** A client of a site with the account admin. */
export async function managerAt(url) {
  const { token } = await logIn(url, 'admin', 'admin');
  if (token === undefined) throw new Error(`${url} does not log admin in.`);
  const headers = { Authorization: `Bearer ${token}` };
  const send = (method, path, body) =>
    fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...JSON_HEADERS },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  return {
    url,
    /** The status and the body of a response, whatever they are. */
    async ask(path) {
      const response = await send('GET', path);
      const text = await response.text();
      const isJson = (response.headers.get('content-type') ?? '').includes('json');
      return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : text, response };
    },
    /** The bytes of a file, as text. */
    async bytes(path) {
      const response = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
      const bytes = Buffer.from(await response.arrayBuffer());
      return `${response.status} ${bytes.toString('base64')}`;
    },
    /** The body of a request that must succeed. */
    async must(method, path, body) {
      const response = await send(method, path, body);
      const text = await response.text();
      if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
      return text === '' ? undefined : JSON.parse(text);
    },
  };
}
