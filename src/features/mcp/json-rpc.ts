import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { schemas } from '#core';
import { BadRequest, PayloadTooLarge } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { countValues, parseJson } from '#lib/schema/bounded-json';

/** Bytes of one message, files for uploads included. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Bytes of one message of somebody who is not logged in: a question, not a file. */
export const MAX_VISITOR_BYTES = 64 * 1024;
/** Values that the JSON of one message may have at all depths. */
const MAX_MESSAGE_VALUES = 50_000;

/** Codes of errors (JSON-RPC 2.0). */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** A response of the protocol, also to a body that is no message. */
export const RpcResponse = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Type.Unknown({ description: 'That of the message: a text or a number.' })),
    result: Type.Optional(schemas.AnyObject()),
    error: Type.Optional(
      Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
    ),
  },
  { description: 'JSON-RPC 2.0: `result`, or `error`.' },
);

/** The response to a body that is no message. */
const refusal = (code: number, message: string) => ({
  refusal: { status: 400 as const, body: { jsonrpc: '2.0' as const, id: null, error: { code, message } } },
});

/** A message, or the response to a body that is no message. */
export type Received = { message: JsonObject } | ReturnType<typeof refusal>;

/** Receives the body of a request, of so many bytes at most. Throws PayloadTooLarge. */
async function bytesOf(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > limit) throw new PayloadTooLarge(limit);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/**
 * Receives one message of JSON-RPC. Lists of messages are refused: no revision of the protocol that is spoken here has them.
 * @throws PayloadTooLarge
 */
export async function receiveMessage(stream: Readable, limit: number): Promise<Received> {
  try {
    const bytes = await bytesOf(stream, limit);
    countValues(bytes, MAX_MESSAGE_VALUES);
    const message = parseJson(bytes.toString('utf8'));
    if (Array.isArray(message)) return refusal(INVALID_REQUEST, 'Send one message at a time, not a list.');
    return isJsonObject(message) ? { message } : refusal(INVALID_REQUEST, 'A message must be a JSON object.');
  } catch (error) {
    if (error instanceof BadRequest) return refusal(PARSE_ERROR, error.message);
    throw error;
  }
}

/** Methods that do work on the site. The others describe the endpoint. */
const WORKING = new Set(['tools/call', 'resources/read', 'resources/list']);

/** Says if a message does work on the site. */
export const doesWork = ({ method }: JsonObject): boolean => typeof method === 'string' && WORKING.has(method);
