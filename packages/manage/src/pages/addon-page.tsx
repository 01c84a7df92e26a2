import { useEffect, useRef, useState } from 'react';
import type { ViewProps } from '../app.tsx';
import { route } from '../lib/route.ts';
import { language, say } from '../lib/say.ts';
import { SITE_PATH, site } from '../lib/site.ts';
import { useStore } from '../lib/store.ts';
import { isDark } from '../lib/theme.ts';
import { Loading, Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';

type Leave = () => void;

/** The function that a module exports: it fills the element, and may return what to do when the reader leaves. */
const isFilling = (value: unknown): value is (tools: object) => unknown => typeof value === 'function';

const isLeave = (value: unknown): value is Leave => typeof value === 'function';

/** Loads the module of a page and has it fill an element. Returns what to do when the reader leaves. */
async function fill(name: string, root: HTMLElement): Promise<Leave | undefined> {
  const address = `${SITE_PATH}/@manage/modules/${encodeURIComponent(name)}`;
  const { default: filling }: { default?: unknown } = await import(/* @vite-ignore */ address);
  if (!isFilling(filling)) throw new Error(`${address} exports no function as its default`);
  const tools = { root, client: site(), language: language.get(), theme: isDark() ? 'dark' : 'light' };
  const leave = await filling(tools);
  return isLeave(leave) ? leave : undefined;
}

/** Calls the function of a module. An error in it must not take the frame of the page away. */
function call(leave: Leave | undefined): void {
  try {
    leave?.();
  } catch (error) {
    console.error(error);
  }
}

/** The place of a page of an add-on. */
function Filled({ name }: { name: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'there' | 'failed'>('loading');
  useEffect(() => {
    const root = document.createElement('div');
    place.current?.append(root);
    let leave: Leave | undefined;
    let isGone = false;
    fill(name, root).then(
      (then) => {
        if (isGone) call(then);
        else leave = then;
        setState('there');
      },
      (error: unknown) => {
        console.error(error);
        setState('failed');
      },
    );
    return () => {
      isGone = true;
      call(leave);
      root.remove();
    };
  }, [name]);
  return (
    <>
      {state === 'loading' && <Loading />}
      {state === 'failed' && <Notice kind="bad">{say('The page of this add-on cannot be loaded.')}</Notice>}
      <div ref={place} />
    </>
  );
}

/** A page that an add-on brings. */
export default function AddonPage({ me }: ViewProps) {
  const tag = useStore(language);
  const { item: name } = useStore(route);
  const page = me.pages.find((one) => one.name === name);
  return page ? (
    <Page title={page.title}>
      <Filled key={`${tag} ${page.name}`} name={page.name} />
    </Page>
  ) : (
    <Page title={say('There is no such page')}>
      <p>{say('Perhaps it is not for you, or it has another address.')}</p>
    </Page>
  );
}
