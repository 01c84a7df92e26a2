import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askAll } from '../security/matrix/ask-all.ts';
import { ROWS } from '../security/matrix/rows.ts';
import { type Scene, startScene } from '../security/matrix/scene.ts';
import { describeEachEngine } from '../support/database.ts';

/** Statuses that are kept; others are found out anew. */
const isKept = (status: number): boolean => status < 400 || [400, 403, 404, 405, 413, 415, 422].includes(status);

const WRITES = ROWS.filter(({ ask }) => !ask.startsWith('GET ') && !/@(?:querystring-)?search/.test(ask));

describeEachEngine('Idempotency-Key on every write of the permission matrix', (engine) => {
  let scene: Scene;
  const problems: string[] = [];
  /** Operations that took a key, and those that say why they do not. */
  const [keyed, alone] = [new Set<string>(), new Set<string>()];

  beforeAll(async () => {
    const plain = await startScene(engine);
    scene = {
      ...plain,
      // Managers reach every service; what others may do is asked without keys elsewhere.
      callers: plain.callers.filter(({ name }) => name === 'Manager'),
      async send(request) {
        if (request.method === 'GET') return plain.send(request);
        const headers = { ...request.headers, 'Idempotency-Key': randomUUID() };
        const what = `${request.method} ${request.address}`;
        const first = await plain.send({ ...request, headers });
        if (first.text.includes('An Idempotency-Key is not possible here.')) {
          alone.add(what);
          return plain.send(request);
        }
        keyed.add(what);
        const second = await plain.send({ ...request, headers });
        if (first.status >= 500) problems.push(`${what}: ${first.text}`);
        if (isKept(first.status) && (second.status !== first.status || second.text !== first.text))
          problems.push(`${what}: first ${first.status} ${first.text}, then ${second.status} ${second.text}`);
        return first;
      },
    };
    await scene.enter('private');
  });
  afterAll(() => scene?.close());

  it.each(WRITES)('$ask $with $query $json', async (row) => {
    expect(await askAll(scene, row, 'private')).toEqual([]);
    expect(problems.splice(0)).toEqual([]);
  });

  it('most writes take a key', () => {
    expect(keyed.size).toBeGreaterThan(100);
    expect(alone.size).toBeGreaterThan(5);
  });
});
