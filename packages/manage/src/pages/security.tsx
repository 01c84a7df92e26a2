import { type FormEvent, type ReactNode, useState } from 'react';
import { describedBy, Field } from '../form/field.tsx';
import { type Action, useAction, useData } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import { say } from '../lib/say.ts';
import { ask, logOut } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { ErrorNotice, Notice, Ready } from '../parts/notice.tsx';
import { Badge, Page, Panel } from '../parts/page.tsx';

type SecondFactor = { enabled: boolean; since: string | null; required: boolean; recovery_codes_left: number };
type Session = {
  id: string;
  issued: string;
  expires: string | null;
  network: string;
  user_agent: string;
  current: boolean;
};

type CredentialsProps = {
  action: Action;
  button: string;
  needsCode: boolean;
  needsPassword?: boolean;
  onSend: (of: { password: string; otp: string }) => Promise<void>;
  children?: ReactNode;
};

/** A form that asks for the password, or for a code of the app, or for both. */
function Credentials({ action, button, needsCode, needsPassword = true, onSend, children }: CredentialsProps) {
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void onSend({ password, otp: otp.replaceAll(' ', '') });
  };
  return (
    <form className="short" onSubmit={send}>
      <ErrorNotice error={action.error} />
      {children}
      {needsPassword && (
        <Field id="factor-password" title={say('Password')}>
          <input
            {...describedBy('factor-password', {})}
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        </Field>
      )}
      {needsCode && (
        <Field id="factor-code" title={say('Code of the app')}>
          <input
            {...describedBy('factor-code', {})}
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            value={otp}
            onChange={({ target }) => setOtp(target.value)}
          />
        </Field>
      )}
      <Button
        type="submit"
        isDisabled={action.isBusy || (needsPassword && password === '') || (needsCode && otp === '')}
      >
        {button}
      </Button>
    </form>
  );
}

const Codes = ({ codes }: { codes: readonly string[] }) => (
  <Notice kind="good">
    <p>{say('Each of these codes works once, for the day on which the app is lost. They are shown this once:')}</p>
    <ul className="bare">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
  </Notice>
);

type FactorProps = { factor: SecondFactor; onCodes: (codes: readonly string[]) => void; reload: () => void };

function SetUp({ onCodes, reload }: Omit<FactorProps, 'factor'>) {
  const [made, setMade] = useState<{ secret: string; uri: string; password: string }>();
  const action = useAction();
  if (made === undefined)
    return (
      <Credentials
        action={action}
        button={say('Set up a second factor')}
        needsCode={false}
        onSend={async ({ password }) => {
          await action.run(async () => {
            const { secret, uri } = await ask<{ secret: string; uri: string }>('POST', '@totp', { body: { password } });
            setMade({ secret, uri, password });
          });
        }}
      />
    );
  return (
    <Credentials
      action={action}
      button={say('Switch it on')}
      needsCode
      needsPassword={false}
      onSend={async ({ otp }) => {
        await action.run(async () => {
          const body = { password: made.password, otp };
          const { recovery_codes: codes } = await ask<{ recovery_codes: string[] }>('POST', '@totp/confirm', { body });
          onCodes(codes);
          reload();
        });
      }}
    >
      <p>{say('Type this secret into an authenticator app, or open the link on the device that has it:')}</p>
      <p>
        <code>{made.secret}</code>
      </p>
      <p>
        <a href={made.uri}>{say('Open in an authenticator app')}</a>
      </p>
    </Credentials>
  );
}

function IsOn({ factor, onCodes, reload }: FactorProps) {
  const [wanted, setWanted] = useState<'codes' | 'off'>();
  const action = useAction();
  return (
    <>
      <p>
        <Badge kind="good">{say('Is on')}</Badge> {dateTime(factor.since)}
      </p>
      <p>{say('Recovery codes left: {total}', { total: factor.recovery_codes_left })}</p>
      {wanted === undefined ? (
        <div className="actions">
          <Button onPress={() => setWanted('codes')}>{say('New recovery codes')}</Button>
          {!factor.required && <Button onPress={() => setWanted('off')}>{say('Switch it off')}</Button>}
        </div>
      ) : (
        <Credentials
          action={action}
          button={wanted === 'codes' ? say('New recovery codes') : say('Switch it off')}
          needsCode
          onSend={async (body) => {
            await action.run(async () => {
              if (wanted === 'off') await ask('POST', '@totp/disable', { body });
              else
                onCodes(
                  (await ask<{ recovery_codes: string[] }>('POST', '@totp/recovery-codes', { body })).recovery_codes,
                );
              setWanted(undefined);
              reload();
            });
          }}
        />
      )}
    </>
  );
}

function Factor() {
  const factor = useData('second factor', (signal) => ask<SecondFactor>('GET', '@totp', { signal }));
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Panel title={say('Second factor')}>
      <p>{say('A login with your password needs a code of an app on your phone as well.')}</p>
      {codes && <Codes codes={codes} />}
      <Ready of={factor}>
        {(data) =>
          data.enabled ? (
            <IsOn factor={data} onCodes={setCodes} reload={factor.reload} />
          ) : (
            <SetUp onCodes={setCodes} reload={factor.reload} />
          )
        }
      </Ready>
    </Panel>
  );
}

function Sessions() {
  const [version, setVersion] = useState(0);
  const action = useAction();
  const end = async ({ id }: Session): Promise<void> => {
    if (await action.run(() => ask('DELETE', `@sessions/${encodeURIComponent(id)}`))) setVersion(version + 1);
  };
  const endAll = async (): Promise<void> => {
    if (await action.run(() => ask('DELETE', '@sessions'))) await logOut();
  };
  return (
    <Panel title={say('Sessions')}>
      <ErrorNotice error={action.error} />
      <ServiceTable<Session>
        service="@sessions"
        caption={say('Sessions')}
        version={version}
        columns={[
          {
            id: 'since',
            title: say('Since'),
            cell: ({ issued, current }) => (
              <>
                {dateTime(issued)} {current && <Badge kind="good">{say('This one')}</Badge>}
              </>
            ),
          },
          { id: 'network', title: say('From'), cell: ({ network }) => network },
          { id: 'program', title: say('Program'), cell: ({ user_agent: program }) => program },
          { id: 'until', title: say('Good until'), cell: ({ expires }) => dateTime(expires) },
          {
            id: 'do',
            title: '',
            cell: (session) =>
              !session.current && (
                <Button
                  kind="quiet"
                  isDisabled={action.isBusy}
                  label={say('End the session since {time}', { time: dateTime(session.issued) })}
                  onPress={() => void end(session)}
                >
                  {say('End it')}
                </Button>
              ),
          },
        ]}
        keyOf={({ id }) => id}
        empty={say('The site keeps no list of sessions. All of them can be ended.')}
      />
      <Button isDisabled={action.isBusy} onPress={() => void endAll()}>
        {say('End all sessions, also this one')}
      </Button>
    </Panel>
  );
}

/** The second factor of the user, and where the user is logged in. */
export default function SecurityPage() {
  return (
    <Page title={say('Second factor and sessions')}>
      <Factor />
      <Sessions />
    </Page>
  );
}
