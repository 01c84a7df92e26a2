/** Loading from the site: each part of the page loads by itself, shows what it has, and tries again when the site is back. */

import { ConnectionError, ServerError } from '@canopy-server/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { noteError, SITE_PATH } from './site.ts';
import { createStore, useStore } from './store.ts';

/** True while the site cannot be reached. */
export const away = createStore(false);
/** Counts how often the site has come back. */
const returns = createStore(0);
/** Milliseconds between two attempts to reach the site. */
const RETRY_MS = 3000;

/** Says if an error may be over by itself. */
export const isAway = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ServerError && error.status >= 502 && error.status <= 504);

async function isBack(): Promise<boolean> {
  try {
    return (await fetch(`${SITE_PATH}/++api++/@login`, { credentials: 'omit' })).ok;
  } catch {
    return false;
  }
}

/** Says that the site is away, and waits until it is back. */
function watch(): void {
  if (away.get()) return;
  away.set(true);
  const look = async (): Promise<void> => {
    if (!(await isBack())) {
      setTimeout(look, RETRY_MS);
      return;
    }
    away.set(false);
    returns.set(returns.get() + 1);
  };
  setTimeout(look, RETRY_MS);
}

/** Sees an error of any request. */
export function note(error: unknown): void {
  noteError(error);
  if (isAway(error)) watch();
}

const asText = (data: unknown): string =>
  JSON.stringify(data, (_, value: unknown) => (value instanceof Set ? [...value] : value));

/** Data that were loaded again because the site is back: the old ones where they are the same, so that what somebody does with them goes on. */
const unchanged = <T>(old: T | undefined, data: T): T =>
  old !== undefined && asText(old) === asText(data) ? old : data;

export type Loaded<T> = { data: T | undefined; error: unknown; isLoading: boolean; reload(): void };

/**
 * Loads something for as long as `key` stays the same. Data of the same key stay while they are loaded again.
 */
export function useData<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; data: T | undefined; error: unknown; isLoading: boolean }>({
    ...{ key, data: undefined, error: undefined, isLoading: true },
  });
  const [turn, setTurn] = useState(0);
  const back = useStore(returns);
  const seen = useRef(back);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the function
  useEffect(() => {
    const abort = new AbortController();
    const isReturn = seen.current !== back;
    seen.current = back;
    setState((old) => ({ key, data: old.key === key ? old.data : undefined, error: undefined, isLoading: true }));
    load(abort.signal).then(
      (data) => {
        if (abort.signal.aborted) return;
        setState((old) => ({
          ...{ key, error: undefined, isLoading: false },
          data: isReturn ? unchanged(old.data, data) : data,
        }));
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        note(error);
        setState((old) => ({ ...old, error, isLoading: false }));
      },
    );
    return () => abort.abort();
  }, [key, turn, back]);
  const reload = useCallback(() => setTurn((n) => n + 1), []);
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: !isCurrent || state.isLoading,
    reload,
  };
}

export type Action = {
  run(work: () => Promise<void>): Promise<boolean>;
  isBusy: boolean;
  error: unknown;
  clear(): void;
};

/** Does something that changes the site, once at a time. `run` resolves to true when it was done. */
export function useAction(): Action {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: undefined });
  const run = useCallback(async (work: () => Promise<void>): Promise<boolean> => {
    setState({ isBusy: true, error: undefined });
    try {
      await work();
      setState({ isBusy: false, error: undefined });
      return true;
    } catch (error) {
      note(error);
      setState({ isBusy: false, error });
      return false;
    }
  }, []);
  const clear = useCallback(() => setState({ isBusy: false, error: undefined }), []);
  return { run, ...state, clear };
}
