/** Where hostile requests are aimed: `CONTAINER` holds `VICTIM`, which nothing may change, and `LOOSE`, which may change. */
export const CONTAINER = '/hostile';
export const VICTIM = `${CONTAINER}/victim`;
export const LOOSE = `${CONTAINER}/loose`;

/** One request as plain data. It is sent as a Manager unless it has an Authorization header of its own. */
export type HostileRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** It must be answered with 4xx. Others may be answered with anything below 500. */
  refused: boolean;
};

/** A group of requests that try one kind of attack. */
export type HostileGroup = { title: string; requests: HostileRequest[] };

/** A GET, which may be answered with anything below 500. */
export function get(path: string, headers: Record<string, string> = {}): HostileRequest {
  return { method: 'GET', path, headers, refused: false };
}

/** A request with a body that is sent as it is, labelled as JSON. */
export function withBody(method: string, path: string, body: string | Uint8Array, refused: boolean): HostileRequest {
  return { method, path, headers: { 'Content-Type': 'application/json' }, body, refused };
}

/** A POST of a page with hostile fields to the container. */
export function postPage(fields: Record<string, unknown>, refused: boolean): HostileRequest {
  return withBody('POST', CONTAINER, JSON.stringify({ '@type': 'Page', title: 'Hostile', ...fields }), refused);
}

/** A PATCH with hostile fields: of the page that must not change when it has to be refused. */
export function patchPage(fields: Record<string, unknown>, refused: boolean): HostileRequest {
  return withBody('PATCH', refused ? VICTIM : LOOSE, JSON.stringify(fields), refused);
}
