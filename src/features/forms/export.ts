import type { Queryable } from '#core';
import { loadBatches } from '#lib/batches';
import { formatCsv } from '#lib/text/csv';
import { choiceTitle } from './fields.ts';
import type { Form } from './form-block.ts';
import {
  type OfBlock,
  type SentField,
  type Submission,
  sentFields,
  submissionsBefore,
} from './statements/submissions.ts';
import { cellOf } from './submission-json.ts';

const BATCH = 200;
const MAX_COLUMNS = 1000;
/** The column with the time, after the columns of the fields. */
const CREATED = 'created';

type Column = { id: string; title: string; choiceTitle: (token: string) => string };

/** The columns: the present fields of the form in its order, then its former fields. */
function columnsOf(form: Form | undefined, sent: readonly SentField[]): Column[] {
  const present = (form?.fields ?? []).filter(({ form: kind }) => kind !== 'none');
  const gone = sent.filter(({ id }) => !present.some((field) => field.id === id));
  const columns = [...present, ...gone].map(({ id, column }) => ({ id, title: column }));
  const isTwice = (title: string): boolean => columns.filter((column) => column.title === title).length > 1;
  return columns.map(({ id, title }) => {
    const field = present.find((one) => one.id === id) ?? { choices: undefined };
    return {
      id,
      title: isTwice(title) || title === CREATED ? `${title} (${id})` : title,
      choiceTitle: (token) => choiceTitle(field, token),
    };
  });
}

/** Returns the submissions of a form as CSV, the newest first, in batches. Cells that a spreadsheet would read as formulas are escaped. */
export async function* exportSubmissions(db: Queryable, of: OfBlock, form: Form | undefined): AsyncGenerator<string> {
  const columns = columnsOf(form, await sentFields(db, of, MAX_COLUMNS));
  yield formatCsv([[...columns.map(({ title }) => title), CREATED]]);
  const load = (last: Submission | undefined) =>
    submissionsBefore(db, of, { before: last?.id ?? Number.MAX_SAFE_INTEGER, size: BATCH });
  for await (const rows of loadBatches(BATCH, load))
    yield formatCsv(
      rows.map(({ data, created }) => [
        ...columns.map((column) =>
          cellOf(Object.hasOwn(data, column.id) ? data[column.id] : undefined, column.choiceTitle),
        ),
        created.toISOString(),
      ]),
    );
}
