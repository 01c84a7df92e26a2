/** Bytes as a response: media type, disposition and caching of a file, and a stream whose failure is logged. */
export { cacheControl, DispositionQuery, privateFile, requestedPart } from '../services/files.ts';
export { csvResponse, loggedStream } from '../services/logged-stream.ts';
