import { lazy, Suspense, useState } from 'react';
import { State } from '../content/columns.tsx';
import { ContentList } from '../content/list.tsx';
import { placeOf, type SiteObject, useObject } from '../content/object.ts';
import { Tree } from '../content/tree.tsx';
import { useAction, useData } from '../lib/data.ts';
import { go, linkTo, route } from '../lib/route.ts';
import { message, say } from '../lib/say.ts';
import { ask, pathOf, publicAddress } from '../lib/site.ts';
import { useStore } from '../lib/store.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { ErrorNotice, Loading, Ready } from '../parts/notice.tsx';
import { Badge, Page } from '../parts/page.tsx';

const EditForm = lazy(() => import('../content/edit.tsx').then(({ EditForm: Form }) => ({ default: Form })));
const Sharing = lazy(() => import('../content/sharing.tsx').then(({ Sharing: S }) => ({ default: S })));
const Publishing = lazy(() => import('../content/publishing.tsx').then(({ Publishing: P }) => ({ default: P })));
const History = lazy(() => import('../content/history.tsx').then(({ History: H }) => ({ default: H })));
const Translations = lazy(() => import('../content/translations.tsx').then(({ Translations: T }) => ({ default: T })));
const RemoveDialog = lazy(() => import('../content/remove.tsx').then(({ RemoveDialog: D }) => ({ default: D })));
const Menu = lazy(() => import('../parts/menu.tsx').then(({ Menu: M }) => ({ default: M })));

/** The parts of the page of an object, with the action of the site that each needs. */
const TABS = [
  { id: 'contents', title: message('Contents'), needs: 'folderish' },
  { id: 'edit', title: message('Fields'), needs: 'edit' },
  { id: 'translations', title: message('Translations'), needs: 'languages' },
  { id: 'publishing', title: message('Publishing'), needs: 'edit' },
  { id: 'sharing', title: message('Sharing'), needs: 'local_roles' },
  { id: 'history', title: message('History'), needs: 'history' },
] as const;

type TabId = (typeof TABS)[number]['id'];

/** The tabs of an object that the user may use. */
const tabsOf = ({ path, content, actions }: SiteObject, isMultilingual: boolean) =>
  TABS.filter(({ needs }) => {
    if (needs === 'folderish') return content.is_folderish;
    return needs === 'languages' ? isMultilingual && path !== '/' && 'language' in content : actions.has(needs);
  });

/** Says if the site has several languages; false until that is known. */
const useMultilingual = (): boolean =>
  useData('languages', (signal) => ask<{ features: { multilingual: boolean } }>('GET', '@site', { signal })).data
    ?.features.multilingual ?? false;

const Crumbs = ({ object }: { object: SiteObject }) => (
  <nav className="crumbs" aria-label={say('The way to here')}>
    <ol>
      <li>
        <Link to={linkTo('content')}>{say('The whole site')}</Link>
      </li>
      {object.breadcrumbs.map((crumb) => (
        <li key={crumb['@id']}>
          <Link to={linkTo('content', { path: pathOf(crumb['@id']) })}>{crumb.title}</Link>
        </li>
      ))}
    </ol>
  </nav>
);

/** The name of a transition, as it stands at the end of its address. */
const transitionId = (address: string): string => decodeURIComponent(address.slice(address.lastIndexOf('/') + 1));

function Actions({ object, reload }: { object: SiteObject; reload: () => void }) {
  const [isRemoving, setRemoving] = useState(false);
  const action = useAction();
  const { path, content, actions, types, transitions, state } = object;
  const parent = path.slice(0, path.lastIndexOf('/')) || '/';
  const move = async (name: string): Promise<void> => {
    if (await action.run(() => placeOf(path).transition(name))) reload();
  };
  /** Makes a working copy and goes there, brings its changes into the original, or drops it and goes back. */
  const copy = (method: 'POST' | 'PATCH' | 'DELETE'): Promise<boolean> =>
    action.run(async () => {
      const place = placeOf(path);
      type Ends = { working_copy_of: { '@id': string } | null };
      const original = method === 'POST' ? undefined : await place.request<Ends>('GET', '@workingcopy');
      const made = await place.request<{ '@id': string } | undefined>(method, '@workingcopy');
      const next = made?.['@id'] ?? original?.working_copy_of?.['@id'];
      go(linkTo('content', { path: next === undefined ? parent : pathOf(next) }));
    });
  return (
    <Suspense fallback={null}>
      <a className="button quiet" href={publicAddress(path)}>
        {say('View')}
      </a>
      {transitions.length > 0 && state && (
        <Menu
          label={say('State: {title}', { title: state.title })}
          entries={transitions.map((one) => ({ id: transitionId(one['@id']), title: one.title }))}
          onChoose={(id) => void move(id)}
        />
      )}
      {actions.has('iterate_checkout') && (
        <Button isDisabled={action.isBusy} onPress={() => void copy('POST')}>
          {say('Check out')}
        </Button>
      )}
      {actions.has('iterate_checkin') && (
        <Button kind="primary" isDisabled={action.isBusy} onPress={() => void copy('PATCH')}>
          {say('Check in')}
        </Button>
      )}
      {actions.has('iterate_checkout_cancel') && (
        <Button isDisabled={action.isBusy} onPress={() => void copy('DELETE')}>
          {say('Drop the copy')}
        </Button>
      )}
      {actions.has('delete') && <Button onPress={() => setRemoving(true)}>{say('Delete')}</Button>}
      {types.length > 0 && (
        <Menu
          kind="primary"
          label={
            <>
              <Icon name="plus" />
              {say('Add content')}
            </>
          }
          entries={types.map(({ id, title }) => ({ id, title }))}
          onChoose={(type) => go(linkTo('add', { path, type }))}
        />
      )}
      {action.error !== undefined && <ErrorNotice error={action.error} />}
      {isRemoving && (
        <RemoveDialog
          {...{ path, uid: content.UID, title: content.title, isOpen: isRemoving }}
          onClose={() => setRemoving(false)}
          onDone={() => go(linkTo('content', { path: parent }))}
        />
      )}
    </Suspense>
  );
}

const TabPanel = ({ tab, object, reload }: { tab: TabId | undefined; object: SiteObject; reload: () => void }) => {
  switch (tab) {
    case 'contents':
      return (
        <ContentList
          path={object.path}
          mayUpload={object.types.some(({ id }) => id === 'File' || id === 'Image')}
          mayChange={object.actions.has('edit')}
        />
      );
    case 'edit':
      return <EditForm object={object} onSaved={reload} />;
    case 'translations':
      return <Translations object={object} />;
    case 'publishing':
      return <Publishing object={object} reload={reload} />;
    case 'sharing':
      return <Sharing object={object} />;
    case 'history':
      return <History object={object} reload={reload} />;
    default:
      return <p>{say('You may look at this, and not change it.')}</p>;
  }
};

type ObjectProps = { object: SiteObject; isMultilingual: boolean; reload: () => void };

function ObjectPage({ object, isMultilingual, reload }: ObjectProps) {
  const { query } = useStore(route);
  const { content, path, state } = object;
  const tabs = tabsOf(object, isMultilingual);
  const tab = tabs.find(({ id }) => id === query.get('tab')) ?? tabs[0];
  return (
    <Page
      title={content.title || path}
      above={<Crumbs object={object} />}
      lead={
        <>
          <Badge>{String(content.type_title ?? content['@type'])}</Badge>
          {state && <State id={state.id} title={state.title} />}
          <span className="path">{path}</span>
        </>
      }
      actions={<Actions object={object} reload={reload} />}
    >
      {tabs.length > 1 && (
        <nav className="tabs" aria-label={say('Parts of this page')}>
          {tabs.map(({ id, title }) => (
            <Link key={id} to={linkTo('content', { path, tab: id })} current={id === tab?.id}>
              {say(title)}
            </Link>
          ))}
        </nav>
      )}
      <Suspense fallback={<Loading />}>
        <TabPanel tab={tab?.id} object={object} reload={reload} />
      </Suspense>
    </Page>
  );
}

/** Content: the tree beside one object with its parts. */
export default function ContentPage() {
  const path = useStore(route).query.get('path') ?? '/';
  const object = useObject(path);
  const isMultilingual = useMultilingual();
  return (
    <div className="with-tree">
      <Tree current={path} />
      {object.data === undefined && object.error !== undefined ? (
        <Page title={say('This cannot be shown')} lead={<span className="path">{path}</span>}>
          <ErrorNotice error={object.error} />
        </Page>
      ) : (
        <Ready of={object}>
          {(data) => <ObjectPage key={path} object={data} isMultilingual={isMultilingual} reload={object.reload} />}
        </Ready>
      )}
    </div>
  );
}
