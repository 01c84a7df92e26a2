import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type * as busboy from '@fastify/busboy';
import { BadRequest, PayloadTooLarge } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { lazyPackage } from '../../lib/process/lazy-package.ts';
import { countValues, parseJson } from '../../lib/schema/bounded-json.ts';
import { ReceivedBytes } from '../types/field-kind.ts';
import { type BodyOptions, MAX_FIELDS, sourceOf } from './body.ts';
import type { StoreFile } from './json-files.ts';

const parsers = lazyPackage<typeof busboy>('@fastify/busboy');

const MAX_FILES = 20;
const MAX_HEADER_BYTES = 16 * 1024;

type FormOptions = Omit<BodyOptions, 'method' | 'limit' | 'storeFile'> & {
  contentType: string;
  storeFile: StoreFile;
  /** Bytes of the largest file. */
  maxFileSize: number;
  /** Bytes that the form may have beside its files, names and lines of its parts included. */
  maxTextBytes: number;
  /** Several files may have one name; they become a list. */
  severalFiles?: boolean;
};

const malformed = (reason: string): BadRequest =>
  new BadRequest(`The body is no form: ${reason.slice(0, 200)}`, 'DeserializationError');

function openParser({ contentType, maxFileSize, maxTextBytes }: FormOptions): busboy.BusboyInstance {
  const { Busboy } = parsers();
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fileSize: maxFileSize,
        files: MAX_FILES,
        fields: MAX_FIELDS,
        fieldSize: maxTextBytes,
        headerSize: MAX_HEADER_BYTES,
      },
    });
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : '');
  }
}

/** The values of a form by their names; a name that comes several times has a list. */
class FormValues {
  readonly #values = new Map<string, { values: unknown[]; file: boolean }>();
  readonly #severalFiles: boolean;
  readonly #maxValues: number;
  readonly #maxTextBytes: number;
  #textBytes = 0;
  #jsonValues = 0;

  constructor({ severalFiles = false, maxValues, maxTextBytes }: FormOptions) {
    this.#severalFiles = severalFiles;
    this.#maxValues = maxValues;
    this.#maxTextBytes = maxTextBytes;
  }

  /** Adds a text, or the value of its JSON. Throws PayloadTooLarge and BadRequest. */
  addText(name: string, text: string, mediaType: string): void {
    this.#textBytes += Buffer.byteLength(text);
    if (this.#textBytes > this.#maxTextBytes) throw new PayloadTooLarge(this.#maxTextBytes);
    this.#add(name, mediaType === 'application/json' ? this.#parse(text) : text, false);
  }

  /** Adds a file behind the earlier files of its name. Throws BadRequest when the name already has a value that a file cannot join. */
  addFile(name: string, file: JsonObject): void {
    this.#add(name, file, true);
  }

  get body(): JsonObject {
    return Object.fromEntries(
      [...this.#values].map(([name, { values }]) => [name, values.length === 1 ? values[0] : values]),
    );
  }

  /** Parses the value of one part; the limit is for all parts together. */
  #parse(text: string): unknown {
    this.#jsonValues = countValues(text, this.#maxValues, this.#jsonValues);
    return parseJson(text);
  }

  #add(name: string, value: unknown, file: boolean): void {
    const known = this.#values.get(name);
    if (!known) this.#values.set(name, { values: [value], file });
    else if (known.file !== file || (file && !this.#severalFiles))
      throw new BadRequest(`The form has "${name.slice(0, 100)}" and a file of the same name.`);
    else known.values.push(value);
  }
}

/**
 * Receives a form, putting its files into the blob store as they come. The texts of its parts are the members of the object: a list for a name that
 * comes several times, and the parsed value for a part of the type `application/json`. Files are `{data: ReceivedBytes, filename, content-type}`.
 * Throws BadRequest, PayloadTooLarge, UnsupportedMediaType.
 */
export async function receiveForm(stream: Readable, options: FormOptions): Promise<JsonObject> {
  const { storeFile, maxFileSize, maxTextBytes } = options;
  const source = sourceOf(stream, 'multipart/form-data', { ...options, limit: maxFileSize + maxTextBytes });
  const parser = openParser(options);
  const values = new FormValues(options);
  const files = new Set<Readable>();
  const storing: Promise<void>[] = [];
  // In the order of arrival, because uploads may end in another order.
  const stored: ([name: string, file: JsonObject] | undefined)[] = [];
  let isBroken = false;
  let fail: (error: unknown) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    fail = (error) => {
      isBroken = true;
      reject(error);
    };
  });
  // Prevents an unhandled rejection when the failure comes before anything awaits it.
  failure.catch(() => {});
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      fail(error);
    }
  };
  parser.on('error', (error) => fail(malformed(error instanceof Error ? error.message : '')));
  for (const limit of ['filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => fail(new BadRequest(`A form may have ${MAX_FIELDS} texts and ${MAX_FILES} files at most.`)));
  parser.on('field', (name, text, _nameCut, cut, _encoding, mediaType) =>
    attempt(() => {
      if (cut) throw new PayloadTooLarge(maxTextBytes);
      if (name === undefined) throw malformed('a part has no name');
      values.addText(name, text, mediaType);
    }),
  );
  parser.on('file', (name, file, filename, _encoding, mediaType) => {
    files.add(file);
    file.on('limit', () => fail(new PayloadTooLarge(maxFileSize)));
    // The work that stores the file gets the error as well.
    file.on('error', (error) => fail(malformed(error.message)));
    const place = stored.push(undefined) - 1;
    const store = async (): Promise<void> => {
      const blob = await storeFile(file);
      files.delete(file);
      if (name === undefined) throw malformed('a part has no name');
      // An empty field for a file, without a chosen file.
      if (blob.size === 0 && !filename) return;
      stored[place] = [name, { data: new ReceivedBytes(blob), filename, 'content-type': mediaType }];
    };
    storing.push(store().catch(fail));
  });
  try {
    for (let chunk = await source.next(); chunk !== undefined; chunk = await source.next()) {
      if (!parser.write(chunk)) await Promise.race([once(parser, 'drain'), failure]);
      // The parser does not stop by itself beyond its limits.
      if (isBroken) await failure;
    }
    const finished = once(parser, 'finish');
    parser.end();
    await Promise.race([finished, failure]);
    await Promise.race([Promise.all(storing), failure]);
    // A failure may have come after all other work was done.
    await Promise.race([failure, Promise.resolve()]);
    for (const one of stored) if (one) values.addFile(...one);
    return values.body;
  } catch (error) {
    parser.destroy();
    for (const file of files) file.destroy(new Error('The form was rejected'));
    await Promise.all(storing);
    source.skip();
    throw error;
  }
}
