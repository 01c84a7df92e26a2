import type { ComponentType } from 'react';
import { go, linkTo, route } from '../lib/route.ts';
import { useStore } from '../lib/store.ts';
import { Button } from './button.tsx';

type EntriesProps = {
  List: ComponentType;
  Entry: ComponentType<{ id: string }>;
  New: ComponentType;
};

/** The page of a kind of entries: their list, one of them by its id in the address, or the form for a new one. */
export function Entries({ List, Entry, New }: EntriesProps) {
  const { item, query } = useStore(route);
  if (item !== undefined) return <Entry key={item} id={item} />;
  return query.has('new') ? <New /> : <List />;
}

/** The button of a list that leads to the form for a new entry. */
export const NewButton = ({ view, title }: { view: string; title: string }) => (
  <Button kind="primary" onPress={() => go(linkTo(view, { new: 1 }))}>
    {title}
  </Button>
);
