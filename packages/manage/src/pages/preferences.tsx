import { useState } from 'react';
import { describedBy, Field } from '../form/field.tsx';
import { LANGUAGES, language, message, say, speak } from '../lib/say.ts';
import { useStore } from '../lib/store.ts';
import { chooseTheme, chosenTheme, type Theme } from '../lib/theme.ts';
import { Page, Panel } from '../parts/page.tsx';

const THEMES: readonly { id: Theme; title: string }[] = [
  { id: 'system', title: message('As the system says') },
  { id: 'light', title: message('Light') },
  { id: 'dark', title: message('Dark') },
];

/** The language and the colours of this page in this browser. */
export default function PreferencesPage() {
  const [theme, setTheme] = useState(chosenTheme);
  const tag = useStore(language);
  return (
    <Page title={say('Language and colours')} lead={say('Of this page, in this browser.')}>
      <Panel>
        <Field id="language" title={say('Language')}>
          <select {...describedBy('language', {})} value={tag} onChange={({ target }) => void speak(target.value)}>
            {LANGUAGES.map((one) => (
              <option key={one.tag} value={one.tag} lang={one.tag}>
                {one.title}
              </option>
            ))}
          </select>
        </Field>
        <Field id="theme" title={say('Colours')}>
          <select
            {...describedBy('theme', {})}
            value={theme}
            onChange={({ target }) => {
              const chosen = THEMES.find(({ id }) => id === target.value)?.id ?? 'system';
              chooseTheme(chosen);
              setTheme(chosen);
            }}
          >
            {THEMES.map(({ id, title }) => (
              <option key={id} value={id}>
                {say(title)}
              </option>
            ))}
          </select>
        </Field>
      </Panel>
    </Page>
  );
}
