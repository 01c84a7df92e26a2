import { BadRequestError, ChangedError, ForbiddenError, NotFoundError, ResponseError } from '@canopy-server/client';
import type { ReactNode } from 'react';
import { isAway } from '../lib/data.ts';
import { say } from '../lib/say.ts';
import { Icon } from './icon.tsx';

type Kind = 'good' | 'info' | 'bad';

/** Something that the reader should see at once; screen readers say it. */
export const Notice = ({ kind, children }: { kind: Kind; children: ReactNode }) => (
  <div className={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    <Icon name={kind === 'good' ? 'check' : 'warning'} />
    <div>{children}</div>
  </div>
);

/** The sentence for an error. The server says its own in the language of the page. */
export function sentenceOf(error: unknown): string {
  if (isAway(error)) return say('The site cannot be reached. The page tries again by itself.');
  if (error instanceof ChangedError)
    return say('Somebody else has changed this meanwhile. Load it again, then repeat your change.');
  if (error instanceof ForbiddenError) return error.message || say('You may not do this.');
  if (error instanceof NotFoundError) return say('There is nothing here, or nothing that you may see.');
  if (error instanceof ResponseError) return error.message;
  return error instanceof Error ? error.message : say('Something went wrong.');
}

/** An error with all of its fields; `known` are those that a form shows beside their inputs. */
export function ErrorNotice({ error, known = [] }: { error: unknown; known?: readonly string[] }) {
  if (error === undefined) return null;
  const problems = error instanceof BadRequestError ? error.problems : [];
  const others = problems.filter(({ field }) => field === undefined || !known.includes(field));
  const requestId = error instanceof ResponseError && error.status >= 500 ? error.requestId : undefined;
  return (
    <Notice kind="bad">
      <p>{problems.length > others.length ? say('Some fields need your attention.') : sentenceOf(error)}</p>
      {others.length > 0 && (
        <ul>
          {others.map(({ field, message }) => (
            <li key={`${field}${message}`}>{field === undefined ? message : `${field}: ${message}`}</li>
          ))}
        </ul>
      )}
      {requestId !== undefined && (
        <p className="soft">{say('Number of the request in the log: {id}', { id: requestId })}</p>
      )}
    </Notice>
  );
}

export const Loading = () => (
  <p className="loading" role="status">
    <span className="spinner" aria-hidden="true" />
    {say('Loading')}
  </p>
);

/** A part of the page once it has its data: until then that it is loading, or what went wrong. */
export function Ready<T>({
  of,
  children,
}: {
  of: { data: T | undefined; error: unknown };
  children: (data: T) => ReactNode;
}) {
  if (of.data !== undefined) return children(of.data);
  return of.error === undefined ? <Loading /> : <ErrorNotice error={of.error} />;
}
