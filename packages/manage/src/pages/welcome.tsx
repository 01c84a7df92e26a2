import { BadRequestError, ForbiddenError } from '@canopy-server/client';
import { type FormEvent, useState } from 'react';
import { describedBy, Field } from '../form/field.tsx';
import { useAction } from '../lib/data.ts';
import { go, linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { ask, logIn } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { Link } from '../parts/link.tsx';
import { ErrorNotice, Notice } from '../parts/notice.tsx';

/** The first account of every site. */
const FIRST_ACCOUNT = 'admin';

/** The secret of the link is behind `#`, which no server and no log gets. It leaves the address at once. */
function takeSecret(): string {
  const secret = location.hash.slice(1);
  if (secret !== '') history.replaceState(null, '', location.pathname + location.search);
  return secret;
}

/** The first page of a new site: what runs here, and the password of its first account. */
export default function WelcomePage() {
  const [secret] = useState(takeSecret);
  const [password, setPassword] = useState('');
  const action = useAction();
  const set = (event: FormEvent): void => {
    event.preventDefault();
    void action.run(async () => {
      const body = { reset_token: secret, new_password: password };
      await ask('POST', `@users/${FIRST_ACCOUNT}/reset-password`, { body });
      await logIn({ login: FIRST_ACCOUNT, password });
      go(linkTo(''), { replace: true });
    });
  };
  const problem = action.error instanceof BadRequestError ? action.error.problems[0]?.message : undefined;
  const isSpent = action.error instanceof ForbiddenError;
  return (
    <main className="alone" id="main">
      <div className="card">
        <p className="brand">Canopy</p>
        <h1>{say('Your site is running')}</h1>
        <p>{say('This is a content server: an API, pages to read, and this page to manage the site.')}</p>
        {secret === '' ? (
          <Notice kind="info">
            <p>{say('The link that the server has printed is needed whole, with what stands behind “#”.')}</p>
          </Notice>
        ) : (
          <form onSubmit={set}>
            <p>
              {say('Choose the password of the account “{name}”. The one that was printed counts no more then.', {
                name: FIRST_ACCOUNT,
              })}
            </p>
            {isSpent && (
              <Notice kind="bad">
                {say(
                  'The link counts no more: it was used, is older than a day, or the site has other accounts. Log in with the printed password.',
                )}
              </Notice>
            )}
            {problem === undefined && !isSpent && <ErrorNotice error={action.error} />}
            <input type="text" autoComplete="username" value={FIRST_ACCOUNT} readOnly hidden />
            <Field id="first-password" title={say('New password')} problem={problem}>
              <input
                {...describedBy('first-password', { problem })}
                type="password"
                autoComplete="new-password"
                minLength={8}
                required
                value={password}
                onChange={({ target }) => setPassword(target.value)}
              />
            </Field>
            <Button type="submit" kind="primary" isDisabled={action.isBusy}>
              {say('Set the password')}
            </Button>
          </form>
        )}
        <p>
          <Link to={linkTo('')}>{say('Log in')}</Link>
        </p>
      </div>
    </main>
  );
}
