import { Type } from 'typebox';
import { batching, defineService, journal, message, ok, say, schemas } from '#core';
import { pathOfFilter } from '../audit-log/endpoints.ts';
import { listTransactions, type TransactionRow } from './statements/transactions.ts';
import { ALREADY_UNDONE, TOO_MUCH, whyFinal } from './undo/final.ts';
import { undoTransactions } from './undo-transactions.ts';

/** Permissions to see and to undo transactions (Zope's names). */
const LIST_CHANGES = 'List undoable changes';
const UNDO = 'Undo changes';

/** Transactions in one response, unless the query asks for fewer: Volto pages by itself. */
const MAX_TRANSACTIONS = 1000;
/** Maximum number of transactions that are undone at once. */
const MAX_UNDONE = 100;
/** Characters of a description in an id. */
const MAX_WORDS = 60;

const shortened = (text: string): string => (text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS - 4)} ...` : text);

/**
 * A transaction as in plone.restapi. After its first word, which counts, the id contains time, path and words, because Volto searches it for a path.
 * The description begins with the path, and the description of an undone transaction has the word "Undone", which Volto shows.
 */
function transactionJson(kinds: journal.StepKinds, row: TransactionRow) {
  const { id, at, actor, description, path, size, undoneBy } = row;
  const time = at.toISOString();
  const obstacle = obstacleOf(kinds, row);
  const words = undoneBy === null ? description : `${description}\nUndone by transaction ${undoneBy}`;
  return {
    id: `${id} ${time} ${path} ${shortened(description)}`,
    description: `${path}\n${words}`,
    path,
    size,
    time,
    username: actor,
    undone: undoneBy !== null,
    undoable: obstacle === null,
    obstacle,
  };
}

/** The reason why a transaction cannot be undone, if it is certain without trying. */
function obstacleOf(kinds: journal.StepKinds, { undoneBy, incomplete, final }: TransactionRow): string | null {
  if (undoneBy !== null) return ALREADY_UNDONE;
  if (incomplete) return TOO_MUCH;
  return final && whyFinal(kinds, final);
}

/** GET `@transactions`: the transactions. */
export const getTransactions = defineService({
  name: '@transactions',
  method: 'GET',
  context: 'site',
  permission: LIST_CHANGES,
  summary:
    'Lists what was changed in the site, the newest first. When there is more, the header Link has the address of it.',
  query: Type.Object({
    ...batching.Query('transactions', { size: MAX_TRANSACTIONS, most: MAX_TRANSACTIONS }),
    path: Type.Optional(
      schemas.Text({
        description: 'Only what has changed something that was at this path or below it then.',
        maxLength: 10_000,
      }),
    ),
    username: Type.Optional(schemas.Text({ description: 'Only what the user with this id did.', maxLength: 1000 })),
  }),
  responses: {
    200: {
      description: 'The transactions.',
      schema: Type.Array(
        Type.Object({
          id: Type.String({ description: 'What PATCH takes. Its first word is enough.' }),
          description: Type.String({ description: 'Where and what, in English.' }),
          path: Type.String(),
          size: Type.Integer({ description: 'Bytes of what is kept of it.' }),
          time: Type.String({ format: 'date-time' }),
          username: Type.String({ description: 'Id of the user; empty for visitors and the server itself.' }),
          undone: Type.Boolean({ description: 'Whether it has been undone.' }),
          undoable: Type.Boolean({
            description:
              'False where it is certain that it cannot be undone. What has changed since may still be an obstacle.',
          }),
          obstacle: schemas.Nullable(Type.String(), { description: 'Why it cannot be undone, where that is certain.' }),
        }),
      ),
      headers: { Link: { description: 'Address of the older transactions, when there are more.' } },
    },
  },
  async run({ kernel, db, base, query, searchParams }) {
    const { b_start: offset, b_size: limit, path, username } = query;
    const filter = { username, path: path === undefined ? undefined : pathOfFilter(path) };
    const rows = await listTransactions(db, filter, { limit: limit + 1, offset });
    const headers =
      rows.length > limit ? batching.nextLink(`${base}/@transactions`, searchParams, { limit, offset }) : {};
    const kinds = kernel.slots.get(journal.STEP_KINDS);
    return { status: 200, headers, body: rows.slice(0, limit).map((row) => transactionJson(kinds, row)) };
  },
});

/** The number of a transaction, at the beginning of its id. */
const NUMBER = /^\s*(\d{1,15})(?:\s|$)/;

const NOT_AN_ID = 'must be the id of a transaction';

const isEmpty = (id: string): boolean => id.trim() === '';

/** An id; undefined for an empty text, which Volto sends for each row whose box is not ticked. */
const TransactionId = Type.Decode(
  Type.Refine(Type.String({ maxLength: 10_000, message: NOT_AN_ID }), (id) => isEmpty(id) || NUMBER.test(id)),
  (id) => (isEmpty(id) ? undefined : Number(NUMBER.exec(id)?.[1])),
);

/** PATCH `@transactions`: undoes transactions. */
export const patchTransactions = defineService({
  name: '@transactions',
  method: 'PATCH',
  context: 'site',
  permission: UNDO,
  summary:
    'Undoes transactions, the newest first: all of them, or none. What it does is a transaction that can be undone.',
  body: Type.Object(
    {
      transaction_ids: Type.Array(TransactionId, {
        description: `Ids as GET lists them, ${MAX_UNDONE} at most. Empty texts do not count.`,
        maxItems: MAX_TRANSACTIONS,
        message: {
          required: 'must be a list of ids',
          type: 'must be a list of ids',
          maxItems: `must have ${MAX_UNDONE} ids at most`,
        },
      }),
    },
    { examples: [{ transaction_ids: ['17'] }] },
  ),
  responses: {
    200: { description: 'All are undone.', schema: Type.Object({ message: Type.String() }) },
    400: { description: 'Some cannot be undone any more: `errors` says why, for each. Nothing is undone.' },
  },
  check: (_context, { body: { transaction_ids: ids } }) => {
    const count = ids?.filter((id) => id !== undefined).length;
    if (count === undefined) return [];
    if (count === 0) return [{ field: 'transaction_ids', message: 'must have at least one id' }];
    return count > MAX_UNDONE ? [{ field: 'transaction_ids', message: `must have ${MAX_UNDONE} ids at most` }] : [];
  },
  async run({ kernel, site, caller, body }) {
    await undoTransactions(kernel, caller, body.transaction_ids);
    return ok({ message: say(site, message('Transactions has been reverted successfully.')) });
  },
});
