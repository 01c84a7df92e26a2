import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PlanEntry } from '../../src/features/promote/forms/plan.ts';
import { entriesInMemory } from '../../src/features/promote/forms/plan-entries.ts';
import { applyAt } from '../../src/features/promote/places/remote-apply.ts';
import type { Json } from '../support/site.ts';

const REPORT = {
  ...{ created: ['/a'], changed: [], moved: [], removed: [], ordered: [], same: 0, conflicts: [], notes: [] },
  setup: { lines: [], kept: 0 },
};
const asked: string[] = [];
/** The responses to looks at the plan, one after the other. */
let looks: ((response: ServerResponse) => void)[] = [];
const respond = (status: number, body: Json) => (response: ServerResponse) =>
  void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    asked.push(`${request.method} ${request.url}`);
    const look = request.method === 'GET' ? looks.shift() : undefined;
    (look ?? respond(200, { id: 'p' }))(response);
  });
});
const apply = () => {
  const entries = Array.from(
    { length: 251 },
    (_, n): PlanEntry => ({ change: 'removed', uid: `${n}`, path: `/p${n}`, digest: 'x' }),
  );
  const application = { plan: { setup: [], entries: entriesInMemory(entries) }, rule: 'stop', dryRun: false } as const;
  const { port } = server.address() as AddressInfo;
  return applyAt(
    { address: `http://127.0.0.1:${port}`, token: undefined },
    { ...application, open: async () => undefined },
  );
};

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

it('A command waits for the job while the site restarts, and while an embedded database comes to no read.', async () => {
  looks = [
    respond(400, { type: 'TooExpensive', message: 'This takes too long.' }),
    (response) => response.socket?.destroy(),
    respond(503, { type: 'ServiceUnavailable', message: 'Stopping.' }),
    respond(200, { state: 'waiting', report: null, problem: null }),
    respond(200, { state: 'applied', report: REPORT, problem: null }),
  ];
  expect(await apply()).toEqual(REPORT);
  expect(asked).toEqual([
    ...['POST /@promotion/plans', 'PUT /@promotion/plans/p/entries/0', 'POST /@promotion/plans/p/apply'],
    ...Array.from({ length: 5 }, () => 'GET /@promotion/plans/p'),
    'DELETE /@promotion/plans/p',
  ]);
});

it('The reason why a plan was not applied is that of the command, and a refusal ends it.', async () => {
  looks = [
    respond(200, { state: 'failed', report: null, problem: { status: 409, type: 'Conflict', message: 'No way.' } }),
  ];
  await expect(apply()).rejects.toThrow('No way.');
  looks = [respond(403, { type: 'Forbidden', message: 'Not for you.' })];
  await expect(apply()).rejects.toThrow('Not for you.');
});
