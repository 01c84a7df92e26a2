import { ConnectionError } from './errors.ts';

/** An event of a stream, or a sign of life that only has an id. */
export type StreamEvent = { id: string; data: string | undefined; retryMs: number | undefined };

const LINE_END = /\r\n|\r|\n/;

/**
 * Reads server-sent events from the bytes of a response as they arrive. `onBytes` is called for each piece. Throws ConnectionError when the response
 * is cut off.
 */
export async function* streamEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let id = '';
  let data: string[] = [];
  let retryMs: number | undefined;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new ConnectionError('The connection to the site was cut', { cause });
      });
      if (done) return;
      onBytes();
      const lines = (rest + decoder.decode(value, { stream: true })).split(LINE_END);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [, name, text = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
        if (name === 'id') id = text;
        else if (name === 'data') data.push(text);
        else if (name === 'retry' && /^\d+$/.test(text)) retryMs = Number(text);
        else if (line === '') {
          yield { id, data: data.length > 0 ? data.join('\n') : undefined, retryMs };
          data = [];
        }
      }
    }
  } finally {
    // Frees the connection, even if the stream has not ended.
    reader.cancel().catch(() => {});
  }
}
