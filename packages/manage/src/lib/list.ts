/** Lists of services: one page at a time, whatever form the service has for its list. */

import { type Loaded, useData } from './data.ts';
import { ask } from './site.ts';

type Rows<Row> = { rows: readonly Row[]; total: number };

type Body<Row> = Row[] | { items?: Row[]; items_total?: number };

const rowsOf = <Row>(body: Body<Row>): Rows<Row> => {
  const rows = Array.isArray(body) ? body : (body.items ?? []);
  return { rows, total: Array.isArray(body) ? rows.length : (body.items_total ?? rows.length) };
};

/** Loads a list of a service of the site, again when `version` changes. */
export const useList = <Row>(
  service: string,
  query: Readonly<Record<string, unknown>> = {},
  version = 0,
): Loaded<Rows<Row>> =>
  useData(`${service} ${JSON.stringify(query)} ${version}`, async (signal) =>
    rowsOf<Row>(await ask<Body<Row>>('GET', service, { signal, query })),
  );
