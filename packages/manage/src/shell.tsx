import { type ReactNode, useEffect, useState } from 'react';
import type { Me } from './lib/me.ts';
import { linkTo, route } from './lib/route.ts';
import { say } from './lib/say.ts';
import { logOut, publicAddress } from './lib/site.ts';
import { useStore } from './lib/store.ts';
import { type Entry, GROUPS, NAVIGATION } from './navigation.ts';
import { Button } from './parts/button.tsx';
import { Icon } from './parts/icon.tsx';
import { Link } from './parts/link.tsx';

const MENU_ID = 'menu';

/** The entries of a group that the user may use. */
function Group({ name, title, me, view }: { name: Entry['group']; title: string; me: Me; view: string }) {
  const entries = NAVIGATION.filter(
    ({ group, needs, isHidden }) => group === name && !isHidden && (needs === undefined || me.may[needs]),
  );
  if (entries.length === 0) return null;
  return (
    <div>
      <h2>{say(title)}</h2>
      <ul>
        {entries.map((entry) => (
          <li key={entry.view}>
            <Link to={linkTo(entry.view)} current={view === entry.view}>
              <Icon name={entry.icon} />
              {say(entry.title)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The pages that add-ons bring, as far as the user may open them. */
const AddonPages = ({ me, current }: { me: Me; current: string | undefined }) =>
  me.pages.length > 0 && (
    <div>
      <h2>{say('Add-ons')}</h2>
      <ul>
        {me.pages.map(({ name, title }) => (
          <li key={name}>
            <Link to={linkTo(['addon', name])} current={name === current}>
              <Icon name="file" />
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );

/** The frame of all pages: the menu beside them, and who is logged in. */
export function Shell({ me, children }: { me: Me; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const here = useStore(route);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of a narrow window closes with each step
  useEffect(() => setOpen(false), [here]);
  return (
    <>
      <a className="skip" href="#main">
        {say('Skip to the content')}
      </a>
      <header className="top">
        <Link to={linkTo('')} className="brand">
          Canopy
        </Link>
        <span className="space" />
        <a href={publicAddress('/')} className="to-site">
          {say('View the site')}
        </a>
        <span className="who">
          <Icon name="person" />
          {me.title}
        </span>
        <Button kind="quiet" onPress={() => void logOut()}>
          {say('Log out')}
        </Button>
        <button
          type="button"
          className="menu-button"
          aria-expanded={isOpen}
          aria-controls={MENU_ID}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="menu" />
          {say('Menu')}
        </button>
      </header>
      <nav className={isOpen ? 'side open' : 'side'} id={MENU_ID} aria-label={say('Menu')}>
        {GROUPS.map(([name, title]) => (
          <Group key={name} {...{ name, title, me }} view={here.view} />
        ))}
        <AddonPages me={me} current={here.view === 'addon' ? here.item : undefined} />
      </nav>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
