import { type ComponentType, type LazyExoticComponent, lazy, Suspense } from 'react';
import { away } from './lib/data.ts';
import { type Me, useMe } from './lib/me.ts';
import { route } from './lib/route.ts';
import { language, say } from './lib/say.ts';
import { signedIn } from './lib/site.ts';
import { useStore } from './lib/store.ts';
import { NAVIGATION } from './navigation.ts';
import { LoginPage } from './pages/login.tsx';
import { ErrorNotice, Loading, Notice } from './parts/notice.tsx';
import { Page } from './parts/page.tsx';
import { Shell } from './shell.tsx';

export type ViewProps = { me: Me };

const WelcomePage = lazy(() => import('./pages/welcome.tsx'));

type View = LazyExoticComponent<ComponentType<ViewProps>>;

/** The pages by the first part of their addresses. */
const VIEWS: Readonly<Record<string, View>> = {
  '': lazy(() => import('./pages/start.tsx')),
  content: lazy(() => import('./pages/content.tsx')),
  add: lazy(() => import('./pages/add.tsx')),
  bin: lazy(() => import('./pages/bin.tsx')),
  overview: lazy(() => import('./pages/overview.tsx')),
  users: lazy(() => import('./pages/users.tsx')),
  groups: lazy(() => import('./pages/groups.tsx')),
  settings: lazy(() => import('./pages/panels.tsx')),
  jobs: lazy(() => import('./pages/jobs.tsx')),
  audit: lazy(() => import('./pages/audit.tsx')),
  webhooks: lazy(() => import('./pages/webhooks.tsx')),
  roles: lazy(() => import('./pages/roles.tsx')),
  permissions: lazy(() => import('./pages/permissions.tsx')),
  workflows: lazy(() => import('./pages/workflows.tsx')),
  types: lazy(() => import('./pages/types.tsx')),
  rules: lazy(() => import('./pages/rules.tsx')),
  addons: lazy(() => import('./pages/addons.tsx')),
  upgrade: lazy(() => import('./pages/upgrade.tsx')),
  imports: lazy(() => import('./pages/imports.tsx')),
  exports: lazy(() => import('./pages/exports.tsx')),
  providers: lazy(() => import('./pages/providers.tsx')),
  aliases: lazy(() => import('./pages/aliases.tsx')),
  schedule: lazy(() => import('./pages/schedule.tsx')),
  caches: lazy(() => import('./pages/caches.tsx')),
  undo: lazy(() => import('./pages/undo.tsx')),
  comments: lazy(() => import('./pages/comments.tsx')),
  releases: lazy(() => import('./pages/releases.tsx')),
  proposals: lazy(() => import('./pages/proposals.tsx')),
  security: lazy(() => import('./pages/security.tsx')),
  profile: lazy(() => import('./pages/account.tsx')),
  tokens: lazy(() => import('./pages/tokens.tsx')),
  addon: lazy(() => import('./pages/addon-page.tsx')),
  preferences: lazy(() => import('./pages/preferences.tsx')),
};

const NotFound = () => (
  <Page title={say('There is no such page')}>
    <p>{say('Perhaps it is not for you, or it has another address.')}</p>
  </Page>
);

/** Finds the page of the address. A page that the menu of the user does not have counts as missing. */
function Current({ me }: ViewProps) {
  const { view } = useStore(route);
  const entry = NAVIGATION.find((one) => one.view === view);
  const Found = entry?.needs !== undefined && !me.may[entry.needs] ? undefined : VIEWS[view];
  return Found ? <Found me={me} /> : <NotFound />;
}

function SignedIn() {
  const me = useMe();
  if (me.data === undefined) return me.error === undefined ? <Loading /> : <ErrorNotice error={me.error} />;
  return (
    <Shell me={me.data}>
      <Suspense fallback={<Loading />}>
        <Current me={me.data} />
      </Suspense>
    </Shell>
  );
}

const AwayNotice = () =>
  useStore(away) && (
    <div className="away">
      <Notice kind="bad">{say('The site cannot be reached. The page tries again by itself.')}</Notice>
    </div>
  );

/** The whole page. */
export function App() {
  const isSignedIn = useStore(signedIn);
  const tag = useStore(language);
  const isWelcome = useStore(route).view === 'welcome';
  return (
    <div key={tag} className="app">
      <AwayNotice />
      {isWelcome ? (
        <Suspense fallback={<Loading />}>
          <WelcomePage />
        </Suspense>
      ) : isSignedIn ? (
        <SignedIn />
      ) : (
        <LoginPage />
      )}
    </div>
  );
}
