import {
  CanopyError,
  ConflictError,
  ConnectionError,
  ResponseError,
  ServerError,
  TooManyRequestsError,
} from './errors.ts';
import { backOffMs, pause } from './retry.ts';
import type { Transport } from './transport.ts';

/** The parts of an upload that a client may choose. */
export type UploadOptions = {
  filename?: string | undefined;
  /** The media type of the file; the default is that of the blob. */
  contentType?: string | undefined;
  /** The content type; by default the server chooses the type for the file. */
  type?: string | undefined;
  /** The field of the file; the default is the file field of the type. */
  field?: string | undefined;
  /** Called after each piece. */
  onProgress?: ((progress: { sent: number; total: number }) => void) | undefined;
  /** Bytes of one request: 8 MiB unless given. */
  chunkBytes?: number | undefined;
  /** The address of an earlier upload that is to be continued. */
  resume?: string | undefined;
  /** Called with the address of the upload when it is open. */
  onOpen?: ((address: string) => void) | undefined;
  /** The token of the lock of the content. */
  lockToken?: string | undefined;
  signal?: AbortSignal | undefined;
};

const CHUNK_BYTES = 8 * 1024 * 1024;
const VERSION = { 'Tus-Resumable': '1.0.0' };

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

const metadataOf = (entries: Record<string, string | undefined>): string =>
  Object.entries(entries)
    .flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`${name} ${base64(value)}`]))
    .join(',');

/** Says if an upload may continue after an error, at the offset from the server. */
const mayGoOn = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof ConflictError ||
  error instanceof TooManyRequestsError ||
  (error instanceof ServerError && error.status !== 507);

/** One file on its way to the server by tus 1.0.0, piece by piece. */
export class Upload {
  readonly #transport: Transport;
  readonly #file: Blob;
  readonly #options: UploadOptions;

  constructor(transport: Transport, file: Blob | Uint8Array<ArrayBuffer>, options: UploadOptions) {
    this.#transport = transport;
    this.#file = file instanceof Blob ? file : new Blob([file]);
    this.#options = options;
  }

  /** Sends the file to a service and returns the path of the new or changed content. */
  async send(service: string): Promise<string> {
    const { resume, onOpen } = this.#options;
    let state: { offset: number; content: string | undefined };
    let path: string;
    if (resume === undefined) {
      const opened = await this.#open(service);
      ({ path, state } = opened);
      onOpen?.(path);
    } else {
      path = await this.#pathOf(resume);
      state = await this.#state(path);
      this.#report(state.offset);
    }
    let failures = 0;
    while (state.content === undefined) {
      try {
        state = await this.#piece(path, state.offset);
        failures = 0;
        this.#report(state.offset);
      } catch (error) {
        failures += 1;
        const { attempts, maxDelayMs } = this.#transport.retry;
        if (!mayGoOn(error) || failures > attempts) throw error;
        const asked = error instanceof ResponseError ? (error.retryAfterMs ?? 0) : 0;
        if (asked > maxDelayMs) throw error;
        await pause(Math.max(asked, backOffMs(failures, maxDelayMs)), this.#options.signal);
        state = await this.#state(path);
      }
    }
    return state.content;
  }

  #pathOf(address: string): Promise<string> {
    return this.#transport.pathOf(address, this.#options.signal);
  }

  #report(sent: number): void {
    this.#options.onProgress?.({ sent, total: this.#file.size });
  }

  async #open(path: string): Promise<{ path: string; state: { offset: number; content: string | undefined } }> {
    const { filename, contentType, type, field, signal } = this.#options;
    const name =
      filename ?? ('name' in this.#file && typeof this.#file.name === 'string' ? this.#file.name : undefined);
    const metadata = metadataOf({
      ...{ filename: name, 'content-type': contentType ?? this.#file.type },
      ...{ '@type': type, fieldname: field },
    });
    const headers = { ...this.#headers(), 'Upload-Length': String(this.#file.size), 'Upload-Metadata': metadata };
    const response = await this.#transport.send({ method: 'POST', path, headers, signal, repeatable: false });
    const location = await this.#pathOf(response.headers.get('location') ?? '');
    // A file without bytes becomes content at once.
    if (this.#file.size > 0) return { path: location, state: { offset: 0, content: undefined } };
    this.#report(0);
    const isUpload = location.includes('/@tus-upload/');
    return { path: location, state: isUpload ? await this.#state(location) : { offset: 0, content: location } };
  }

  #headers(): Record<string, string> {
    const { lockToken } = this.#options;
    return { ...VERSION, ...(lockToken === undefined ? {} : { 'Lock-Token': lockToken }) };
  }

  async #stateOf(response: Response): Promise<{ offset: number; content: string | undefined }> {
    const location = response.headers.get('location');
    const offset = Number(response.headers.get('upload-offset') ?? Number.NaN);
    if (!Number.isSafeInteger(offset) || offset < 0)
      throw new CanopyError('The server did not say how far the upload is');
    if (offset >= this.#file.size && location === null)
      throw new CanopyError('The upload is complete, but its content cannot be viewed');
    return { offset, content: location === null ? undefined : await this.#pathOf(location) };
  }

  /** Asks the server for the offset of the upload. */
  async #state(path: string): Promise<{ offset: number; content: string | undefined }> {
    const request = { method: 'HEAD', path, headers: this.#headers(), signal: this.#options.signal, repeatable: true };
    return this.#stateOf(await this.#transport.send(request));
  }

  async #piece(path: string, offset: number): Promise<{ offset: number; content: string | undefined }> {
    const { chunkBytes = CHUNK_BYTES, signal } = this.#options;
    const response = await this.#transport.send({
      ...{ method: 'PATCH', path, signal, repeatable: false },
      headers: {
        ...this.#headers(),
        'Content-Type': 'application/offset+octet-stream',
        'Upload-Offset': String(offset),
      },
      body: this.#file.slice(offset, offset + chunkBytes),
    });
    return this.#stateOf(response);
  }
}
