/** A reporter of node:test: one line of JSON for each check that is announced, passes, is skipped or fails. */
export default async function* reportChecks(events) {
  for await (const { type, data } of events) {
    const { name, details, skip, todo } = data;
    if (type === 'test:enqueue') {
      yield `${JSON.stringify({ event: 'announced', name })}\n`;
    } else if ((type === 'test:pass' || type === 'test:fail') && details?.type !== 'suite') {
      const event = skip !== undefined || todo !== undefined ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
      const error = details?.error;
      yield `${JSON.stringify({ event, name, message: String(error?.cause?.message ?? error?.message ?? '').slice(0, 500) })}\n`;
    }
  }
}
