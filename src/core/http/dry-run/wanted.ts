import { BadRequest } from '../../../lib/errors.ts';
import { queryOf, type WireRequest } from '../wire-request.ts';

/** The parameter by which a write is rehearsed. */
const PARAMETER = 'dry_run';

const VALUES: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

/** Reduces a name to its letters, so that other ways to write it are found. */
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/**
 * Says if a write is to be rehearsed. Throws BadRequest for another value than 1, true, 0 and false, and for other ways to write the name:
 * a dry run that is not understood would be a write.
 */
export function wantsDryRun(request: Pick<WireRequest, 'target'>): boolean {
  const query = queryOf(request);
  if (query === '') return false;
  const parameters = [...new URLSearchParams(query)].filter(([name]) => lettersOf(name).startsWith('dryrun'));
  if (parameters.length === 0) return false;
  if (parameters.some(([name]) => name !== PARAMETER))
    throw new BadRequest(`The parameter of a dry run is "${PARAMETER}". Nothing was done.`);
  const values = new Set(parameters.map(([, value]) => VALUES.get(value)));
  const [value] = values;
  if (values.size !== 1 || value === undefined)
    throw new BadRequest(`"${PARAMETER}" must be 1, true, 0 or false, and be sent once. Nothing was done.`);
  return value;
}
