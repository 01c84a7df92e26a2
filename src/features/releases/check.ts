import {
  type Caller,
  callers,
  publishing,
  type RequestContext,
  rehearsing,
  requestBatches,
  requestsWithin,
  urlOf,
} from '#core';
import { ClientError, Conflict } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { withParameter } from '../proposals/requests.ts';
import { conflictsOf, hasConflicts, seenAt } from '../proposals/seen-conflicts.ts';
import { closedRelations } from '../relations/relation-change.ts';
import { linkBreaches } from '../relations/statements.ts';
import { kindOfPart } from './allowed-parts.ts';
import { type Reader, UNSEEN_PARTS } from './found-release.ts';
import { byNumber, ON_CONFLICT, requestOf } from './requests.ts';
import { brokenLinks } from './statements/broken-links.ts';
import type { StoredPart } from './statements/parts.ts';
import { privateLinks } from './statements/private-links.ts';

/** Conflicts in a report, and objects with links to nowhere. */
const MAX_CONFLICTS = 100;
const MAX_BROKEN = 100;
/** References to what visitors do not see. */
const MAX_PRIVATE = 100;
/** Objects with links to one that a part removes. */
const MAX_BREACHES = 1000;

/** A part that does not work at present. */
type FoundProblem = { part: number | null; status: number; type: string; message: string };

/** A report of what a release would do at this moment. */
export type Report = {
  problems: FoundProblem[];
  conflicts: JsonObject[];
  brokenLinks: { '@id': string; title: string }[];
  /** References of public content to content that is not public afterwards. */
  privateLinks: { '@id': string; title: string; target: { '@id': string; title: string } }[];
  changes: JsonObject[];
};

const UNSEEN: FoundProblem = {
  part: null,
  status: 403,
  type: 'Forbidden',
  message: UNSEEN_PARTS,
};

/** The viewers of content as `caller`, with the fields that are closed to all. */
const viewersOf = ({ site }: RequestContext, caller: Caller) => ({
  ...publishing.viewersOf(site, caller),
  closed: closedRelations(site),
});

/**
 * Does the parts of a release with the rights of the caller and undoes them. A part that does not work is noted, and the next ones are done
 * still, except that a reference to nothing ends it. Where the release and others have changed the same, the release counts.
 */
export async function checkRelease(
  context: RequestContext,
  parts: readonly StoredPart[],
  reader: Reader,
): Promise<Report> {
  const { caller, authentication } = context;
  const problems: FoundProblem[] = [];
  const conflicts: JsonObject[] = [];
  const note = (part: number, { status, type, message }: ClientError): void => {
    const problem = reader.seesPart(part) ? { part, status, type, message } : UNSEEN;
    if (problem.part !== null || !problems.includes(UNSEEN)) problems.push(problem);
  };
  const work = async (shared: RequestContext): Promise<Pick<Report, 'brokenLinks' | 'privateLinks'>> => {
    const { base, db } = shared;
    const sender = requestsWithin.partsOf(shared);
    const { requests, isThere } = byNumber(parts.map(requestOf));
    // Links of what the parts have changed or made, and of what refers to content that they remove.
    const linking = new Set(parts.flatMap(({ targets }) => targets.map(({ uid }) => uid)));
    try {
      await requestBatches.perform(requests, {
        base,
        isWanted: isThere,
        async perform(part, number) {
          let path = '/';
          const perform = (target: string) =>
            sender.perform(
              authentication,
              { ...part, target },
              {
                async admit(service, inner) {
                  const { object } = inner.resolved;
                  path = object.path;
                  if (kindOfPart(service, inner, { body: part.body, own: [ON_CONFLICT] }) !== 'remove') return;
                  const viewers = viewersOf(inner, caller);
                  for (const { uid } of await linkBreaches(db, { ...viewers, uids: [object.uid], limit: MAX_BREACHES }))
                    linking.add(uid);
                },
              },
            );
          try {
            const response = await perform(part.target).catch(async (error: unknown) => {
              if (!(error instanceof Conflict) || !hasConflicts(error)) throw error;
              const seen = reader.seesPart(number) ? await seenAt(shared, caller, path) : undefined;
              const found = conflictsOf(number, error, seen).map(({ request, ...one }) => ({ part: request, ...one }));
              conflicts.push(...found.slice(0, MAX_CONFLICTS - conflicts.length));
              return perform(withParameter(part.target, ON_CONFLICT, 'mine'));
            });
            if (isJsonObject(response.body) && typeof response.body.UID === 'string') linking.add(response.body.UID);
            return response;
          } catch (error) {
            if (!(error instanceof ClientError)) throw error;
            note(number, error);
            return { status: 204 };
          }
        },
      });
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      note(error.part ?? 0, error);
    }
    const uids = [...linking];
    const broken = await brokenLinks(db, { ...viewersOf(shared, caller), uids, limit: MAX_BROKEN });
    const visitors = [...publishing.viewersOf(shared.site, callers.ANONYMOUS).principals];
    const hidden = await privateLinks(db, { ...viewersOf(shared, caller), uids, limit: MAX_PRIVATE, visitors });
    return {
      brokenLinks: broken.map(({ path, title }) => ({ '@id': urlOf(base, path), title })),
      privateLinks: hidden.map(({ path, title, target, targetTitle }) => ({
        ...{ '@id': urlOf(base, path), title },
        target: { '@id': urlOf(base, target), title: targetTitle },
      })),
    };
  };
  const { result, changes } = await rehearsing.run(context, work, { reader: caller, detail: 'known' });
  return { problems, conflicts, ...result, changes };
}
