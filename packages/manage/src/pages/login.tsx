import { ResponseError } from '@canopy-server/client';
import { type FormEvent, useEffect, useState } from 'react';
import { describedBy, Field } from '../form/field.tsx';
import { useAction, useData } from '../lib/data.ts';
import { say } from '../lib/say.ts';
import { ask, logIn, publicAddress, sessionEnded } from '../lib/site.ts';
import { useStore } from '../lib/store.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice, Notice } from '../parts/notice.tsx';

type Provider = { id: string; title: string; url: string };

/** The types of the errors of a login that a code of the second factor may mend. */
const isAboutCode = (error: unknown): boolean => error instanceof ResponseError && /second factor/i.test(error.type);

/** The way back to this page after a login with a provider. */
const withReturn = (url: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}came_from=${encodeURIComponent(location.pathname + location.search)}`;

/** The form to log in, with the providers of the site. */
export function LoginPage() {
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const action = useAction();
  const hasEnded = useStore(sessionEnded);
  const providers = useData('providers', (signal) => ask<{ options: Provider[] }>('GET', '@login', { signal }));
  const [needsCode, setNeedsCode] = useState(false);
  useEffect(() => {
    document.title = `${say('Log in')} – Canopy`;
  }, []);
  useEffect(() => {
    if (isAboutCode(action.error)) setNeedsCode(true);
  }, [action.error]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void action.run(() => logIn({ login, password, ...(otp.trim() === '' ? {} : { otp: otp.trim() }) }));
  };
  return (
    <main className="alone" id="main">
      <div className="card">
        <p className="brand">Canopy</p>
        <h1>{say('Log in')}</h1>
        {hasEnded && (
          <Notice kind="info">{say('Your session has ended. Log in again; you come back to this page.')}</Notice>
        )}
        <form onSubmit={submit}>
          {action.error !== undefined && !(isAboutCode(action.error) && otp === '') && (
            <ErrorNotice error={action.error} />
          )}
          <Field id="login" title={say('Login name')}>
            <input
              {...describedBy('login', {})}
              value={login}
              onChange={({ target }) => setLogin(target.value)}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
          </Field>
          <Field id="password" title={say('Password')}>
            <input
              {...describedBy('password', {})}
              type="password"
              value={password}
              onChange={({ target }) => setPassword(target.value)}
              autoComplete="current-password"
              required
            />
          </Field>
          {needsCode && (
            <Field
              id="otp"
              title={say('Code of the second factor')}
              help={say('From your app, or one of your recovery codes.')}
            >
              <input
                {...describedBy('otp', { help: 'yes' })}
                value={otp}
                onChange={({ target }) => setOtp(target.value)}
                autoComplete="one-time-code"
                // biome-ignore lint/a11y/noAutofocus: the form asks for the code in the middle of the login
                autoFocus
              />
            </Field>
          )}
          <Button type="submit" kind="primary" isDisabled={action.isBusy}>
            {say('Log in')}
          </Button>
        </form>
        {(providers.data?.options.length ?? 0) > 0 && (
          <div className="providers">
            <h2>{say('Or with')}</h2>
            {providers.data?.options.map(({ id, title, url }) => (
              <a key={id} className="button plain" href={withReturn(url)}>
                {title}
              </a>
            ))}
          </div>
        )}
        <p className="soft">
          <a href={publicAddress('/')}>{say('View the site')}</a>
        </p>
      </div>
    </main>
  );
}
