import { expectedOf, type Row, type State } from '../../security/matrix/row.ts';
import { ROWS } from '../../security/matrix/rows.ts';
import type { Scene } from '../../security/matrix/scene.ts';
import { makeThings, requestOf } from '../../security/matrix/things.ts';

/** The rows of the matrix that change something for somebody, on content in a state. */
export const writingRows = (state: State): Row[] =>
  ROWS.filter((row) => expectedOf(row, state).some(({ effective }) => effective));

/** The same, each behind a title. */
export const rowsByTitle = (state: State): [string, Row, State][] =>
  writingRows(state).map((row) => [`${row.ask} ${JSON.stringify([row.with, row.json]).slice(0, 100)}`, row, state]);

/** The first of those rows of each operation. */
export const firstRowsByTitle = (state: State): [string, Row, State][] => {
  const first = new Map(
    writingRows(state)
      .toReversed()
      .map((row) => [row.ask, row]),
  );
  return rowsByTitle(state).filter(([, row]) => first.get(row.ask) === row);
};

/** A write whose things exist: the path that it is about, and how the mightiest caller who may do it does it. */
export async function prepareWrite(
  scene: Scene,
  row: Row,
  state: State,
): Promise<{ path: string; send(): Promise<void> }> {
  const effective = expectedOf(row, state).filter((expected) => expected.effective);
  const caller = scene.callers.findLast(({ name }) => effective.some((expected) => expected.name === name));
  if (!caller) throw new Error(`Nobody may ${row.ask}`);
  const things = await makeThings(scene, row, caller);
  const { method, address, json } = requestOf(scene, row, { caller, things });
  const path = address.replace(/[?].*/, '').replace(/\/@.*/, '');
  return {
    path: path === '' ? '/' : path,
    async send() {
      const { status, text } = await scene.send({ method, address, json, headers: row.headers, token: caller.token });
      if (status >= 400) throw new Error(`${method} ${address}: ${status} ${text.slice(0, 300)}`);
    },
  };
}
