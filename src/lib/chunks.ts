/** Gathers values into lists of `size`; the last list may be shorter, and no list is empty. */
export async function* chunks<T>(values: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const value of values) {
    chunk.push(value);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
