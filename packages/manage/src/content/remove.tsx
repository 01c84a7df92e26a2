import { useAction, useData } from '../lib/data.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNotice, Loading } from '../parts/notice.tsx';
import { placeOf } from './object.ts';

type Change = { type: string; action?: string; path?: string };
type Links = {
  '@id': string;
  title: string;
  breaches?: { target: { '@id': string }; sources: { '@id': string; title: string }[] }[];
};

type RemoveProps = {
  path: string;
  uid: string;
  title: string;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
};

/** Deletes an object after a rehearsal, which shows what would go. */
export const RemoveDialog = (props: RemoveProps) => (
  <Dialog title={say('Delete “{title}”?', { title: props.title })} isOpen={props.isOpen} onClose={props.onClose}>
    <Rehearsal {...props} />
  </Dialog>
);

const MAX_SHOWN = 8;

function Rehearsal({ path, uid, onClose, onDone }: RemoveProps) {
  const rehearsal = useData(`remove ${path}`, async (signal) => {
    const [{ changes }, links] = await Promise.all([
      placeOf(path).request<{ changes: Change[] }>('DELETE', '', { signal, query: { dry_run: 1 } }),
      ask<Links[]>('GET', '@linkintegrity', { signal, query: { uids: uid } }),
    ]);
    const gone = changes.filter(({ type, action }) => type === 'content' && action === 'deleted');
    return {
      gone: gone.flatMap((one) => one.path ?? []),
      broken: links.flatMap(({ breaches = [] }) => breaches.flatMap(({ sources }) => sources)),
    };
  });
  const action = useAction();
  const remove = async (): Promise<void> => {
    if (await action.run(() => placeOf(path).remove({ ifMatch: false }))) onDone();
  };
  const { data, error } = rehearsal;
  return (
    <>
      {data === undefined && error === undefined && <Loading />}
      <ErrorNotice error={error ?? action.error} />
      {data && (
        <>
          <p>
            {say('Objects that go to the bin, from which they can be brought back: {total}', {
              total: data.gone.length,
            })}
          </p>
          <ul className="paths">
            {data.gone.slice(0, MAX_SHOWN).map((one) => (
              <li key={one}>{one}</li>
            ))}
            {data.gone.length > MAX_SHOWN && (
              <li>{say('More of them: {total}', { total: data.gone.length - MAX_SHOWN })}</li>
            )}
          </ul>
          {data.broken.length > 0 && (
            <>
              <p>{say('These link to it, and their links would lead nowhere:')}</p>
              <ul>
                {data.broken.slice(0, MAX_SHOWN).map((source) => (
                  <li key={source['@id']}>{source.title}</li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
      <div className="form-end">
        <Button kind="danger" isDisabled={data === undefined || action.isBusy} onPress={() => void remove()}>
          {say('Delete')}
        </Button>
        <Button onPress={onClose}>{say('Cancel')}</Button>
      </div>
    </>
  );
}
