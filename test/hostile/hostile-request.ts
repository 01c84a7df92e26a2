/** Targets of hostile requests: `CONTAINER` holds `VICTIM`, which no request may change, and `LOOSE`, which may change. */
export const CONTAINER = '/hostile';
export const VICTIM = `${CONTAINER}/victim`;
export const LOOSE = `${CONTAINER}/loose`;

/** One request as plain data. It is sent as a Manager unless it has its own Authorization header. */
export type HostileRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** True if the response must be 4xx. Other requests may get any status below 500. */
  refused: boolean;
};

/** A group of requests with one kind of attack. */
export type HostileGroup = { title: string; requests: HostileRequest[] };

/** A GET, which may get any status below 500. */
export function get(path: string, headers: Record<string, string> = {}): HostileRequest {
  return { method: 'GET', path, headers, refused: false };
}

/** A request whose body is sent unchanged, with the media type of JSON. */
export function withBody(method: string, path: string, body: string | Uint8Array, refused: boolean): HostileRequest {
  return { method, path, headers: { 'Content-Type': 'application/json' }, body, refused };
}

/** A POST of a page with hostile fields to the container. */
export function postPage(fields: Record<string, unknown>, refused: boolean): HostileRequest {
  return withBody('POST', CONTAINER, JSON.stringify({ '@type': 'Page', title: 'Hostile', ...fields }), refused);
}

/** A PATCH with hostile fields. When it must be rejected, it is sent to the page that must not change. */
export function patchPage(fields: Record<string, unknown>, refused: boolean): HostileRequest {
  return withBody('PATCH', refused ? VICTIM : LOOSE, JSON.stringify(fields), refused);
}
