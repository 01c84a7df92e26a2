import type { Queryable, Transaction } from '#core';
import { type FieldProblem, ValidationFailed } from '#lib/errors';
import { isJsonObject } from '#lib/json-object';
import { codePlace, findCode } from './email-codes.ts';
import type { Form } from './form-block.ts';
import { type CodePlace, useCode } from './statements/email-codes.ts';
import type { FormValue } from './values.ts';

/** A verified code from a visitor, which is used up when the form is accepted. */
export type VerifiedCode = { place: CodePlace; hash: string; field: string };

const WRONG = 'The code is wrong, or its time is over.';

/** The codes that were sent beside values: `{field_id, value, otp}`. */
const codesIn = (data: unknown): Map<unknown, string> =>
  new Map(
    (Array.isArray(data) ? data : []).flatMap((item) =>
      isJsonObject(item) && typeof item.otp === 'string' ? [[item.field_id, item.otp] as const] : [],
    ),
  );

/**
 * The codes of a form that sends copies only to verified addresses, one for each such address (collective.volto.formsupport,
 * `email_otp_verification`). Throws ValidationFailed for missing and wrong codes.
 */
export async function verifyAddresses(
  db: Queryable,
  { page, form, values, data }: { page: string; form: Form; values: ReadonlyMap<string, FormValue>; data: unknown },
): Promise<VerifiedCode[]> {
  if (!form.verifiesAddresses) return [];
  const given = codesIn(data);
  const verified: VerifiedCode[] = [];
  const problems: FieldProblem[] = [];
  for (const { id: field, copyTo } of form.fields) {
    const address = copyTo ? values.get(field) : undefined;
    if (typeof address !== 'string') continue;
    const place = codePlace(page, form.id, address);
    const code = given.get(field);
    const hash = code === undefined ? undefined : await findCode(db, place, code);
    if (hash !== undefined) verified.push({ place, hash, field });
    else
      problems.push({
        field,
        message: code === undefined ? 'Needs the code that was mailed to this address.' : WRONG,
      });
  }
  if (problems.length > 0) throw new ValidationFailed(problems);
  return verified;
}

/** Uses codes up. Throws ValidationFailed for a code that another submission has used meanwhile. */
export async function useCodes(tx: Transaction, codes: readonly VerifiedCode[]): Promise<void> {
  const done = new Set<string>();
  for (const { place, hash, field } of codes) {
    if (!done.has(place.address) && !(await useCode(tx, place, hash)))
      throw new ValidationFailed([{ field, message: WRONG }]);
    done.add(place.address);
  }
}
