/** The JSON of a list whose elements come one by one. */
export async function* jsonList(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const value of values) {
    yield `${separator}${JSON.stringify(value)}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** The JSON of an object whose members come one by one. */
export async function* jsonObject(members: AsyncIterable<readonly [string, unknown]>): AsyncGenerator<string> {
  let separator = '{\n';
  for await (const [key, value] of members) {
    yield `${separator}${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    separator = ',\n';
  }
  yield separator === '{\n' ? '{}' : '\n}';
}

/** The JSON of an object whose members are streams of JSON. */
export async function* jsonOfStreams(members: Readonly<Record<string, AsyncIterable<string>>>): AsyncGenerator<string> {
  let separator = '{\n';
  for (const [key, value] of Object.entries(members)) {
    yield `${separator}${JSON.stringify(key)}: `;
    yield* value;
    separator = ',\n';
  }
  yield '}\n';
}
