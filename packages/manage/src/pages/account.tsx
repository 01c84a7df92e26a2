import { type FormEvent, useState } from 'react';
import type { ViewProps } from '../app.tsx';
import { describedBy, Field } from '../form/field.tsx';
import { ServiceForm } from '../form/form-page.tsx';
import type { FormSchema, Values } from '../form/schema.ts';
import { useAction, useData } from '../lib/data.ts';
import { say } from '../lib/say.ts';
import { ask, logIn } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice, Notice, Ready } from '../parts/notice.tsx';
import { Page, Panel } from '../parts/page.tsx';

/** The picture has a form of its own in the API. */
const withoutPortrait = (schema: FormSchema): FormSchema => ({
  ...schema,
  fieldsets: schema.fieldsets.map((set) => ({ ...set, fields: set.fields.filter((name) => name !== 'portrait') })),
});

function Password({ me }: ViewProps) {
  const [old, setOld] = useState('');
  const [fresh, setFresh] = useState('');
  const [isDone, setDone] = useState(false);
  const action = useAction();
  const change = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const done = await action.run(async () => {
      await ask('POST', `@users/${encodeURIComponent(me.id)}/reset-password`, {
        body: { old_password: old, new_password: fresh },
      });
      // All tokens of the old password are worth nothing now.
      await logIn({ login: me.person.username, password: fresh });
    });
    setDone(done);
    if (done) setOld('');
    if (done) setFresh('');
  };
  return (
    <Panel title={say('Password')}>
      <form onSubmit={change} className="short">
        {isDone && <Notice kind="good">{say('The password is changed. Other sessions have ended.')}</Notice>}
        <ErrorNotice error={action.error} />
        <input type="text" autoComplete="username" value={me.person.username} readOnly hidden />
        <Field id="old-password" title={say('Old password')}>
          <input
            {...describedBy('old-password', {})}
            type="password"
            autoComplete="current-password"
            required
            value={old}
            onChange={({ target }) => setOld(target.value)}
          />
        </Field>
        <Field id="new-password" title={say('New password')}>
          <input
            {...describedBy('new-password', {})}
            type="password"
            autoComplete="new-password"
            required
            value={fresh}
            onChange={({ target }) => setFresh(target.value)}
          />
        </Field>
        <Button type="submit" isDisabled={action.isBusy || old === '' || fresh === ''}>
          {say('Change the password')}
        </Button>
      </form>
    </Panel>
  );
}

/** The profile of the user, and the password. */
export default function AccountPage({ me }: ViewProps) {
  const service = `@users/${encodeURIComponent(me.id)}`;
  const parts = useData('own profile', async (signal) => {
    const [schema, person] = await Promise.all([
      ask<FormSchema>('GET', '@userschema', { signal }),
      ask<Values>('GET', service, { signal }),
    ]);
    return { schema: withoutPortrait(schema), person };
  });
  return (
    <Page title={say('Profile')} lead={me.person.username}>
      <Ready of={parts}>
        {({ schema, person }) => (
          <ServiceForm
            schema={schema}
            stored={person}
            save={(body) => ask('PATCH', service, { body })}
            onSaved={parts.reload}
          />
        )}
      </Ready>
      <Password me={me} />
    </Page>
  );
}
