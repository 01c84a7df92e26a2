/** Sending a large file while the page shows how much has gone: `fetch` does not say. */

import { type AnySite, createClient } from '@canopy-server/client';
import { language } from './say.ts';
import { SITE_PATH, site } from './site.ts';

/** The headers of a response as the browser writes them, a line each. */
function headersOf(text: string): Headers {
  const headers = new Headers();
  for (const line of text.trim().split(/\r?\n/)) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return headers;
}

/** A `fetch` that reports the bytes that have gone. */
const reporting =
  (onSent: (sent: number) => void): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const sender = new XMLHttpRequest();
      sender.open(init.method ?? 'GET', String(input));
      for (const [name, value] of new Headers(init.headers)) sender.setRequestHeader(name, value);
      sender.upload.onprogress = ({ loaded }) => onSent(loaded);
      sender.onload = () => {
        const { status, response } = sender;
        resolve(
          new Response(status === 204 ? null : response, {
            status,
            headers: headersOf(sender.getAllResponseHeaders()),
          }),
        );
      };
      sender.onerror = () => reject(new TypeError('The request failed'));
      sender.onabort = () => reject(new DOMException('The request was ended', 'AbortError'));
      init.signal?.addEventListener('abort', () => sender.abort());
      sender.send(init.body instanceof Blob ? init.body : null);
    });

/** Sends a file as the body of a request to a service. */
export const sendFile = <Result>(
  service: string,
  file: File,
  { query, signal, onSent }: { query: Record<string, string>; signal: AbortSignal; onSent: (sent: number) => void },
): Promise<Result> =>
  createClient<AnySite>(`${location.origin}${SITE_PATH}/++api++`, {
    ...{ token: site().token, language: language.get(), retry: { attempts: 0 }, fetch: reporting(onSent) },
  }).request<Result>('POST', service, {
    ...{ query, signal, body: file, headers: { 'Content-Type': 'application/octet-stream' } },
  });
