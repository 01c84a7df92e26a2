import { type ReactNode, useState } from 'react';
import { useAction } from '../lib/data.ts';
import { say } from '../lib/say.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './notice.tsx';

type RemoveButtonProps = {
  /** The name of what goes. */
  name: string;
  /** The consequences for its content. */
  children?: ReactNode;
  remove: () => Promise<unknown>;
  onRemoved: () => void;
  isQuiet?: boolean;
};

/** A button that asks before something goes, and shows why it cannot go. */
export function RemoveButton({ name, children, remove, onRemoved, isQuiet = false }: RemoveButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const action = useAction();
  const act = async (): Promise<void> => {
    const done = await action.run(async () => {
      await remove();
    });
    if (!done) return;
    setAsking(false);
    onRemoved();
  };
  const title = say('Delete “{title}”?', { title: name });
  return (
    <>
      <Button
        kind={isQuiet ? 'quiet' : 'plain'}
        label={isQuiet ? say('Delete: {name}', { name }) : undefined}
        onPress={() => setAsking(true)}
      >
        {say('Delete')}
      </Button>
      <Dialog title={title} isOpen={isAsking} onClose={() => setAsking(false)}>
        {children !== undefined && <p>{children}</p>}
        <ErrorNotice error={action.error} />
        <div className="form-end">
          <Button kind="danger" isDisabled={action.isBusy} onPress={() => void act()}>
            {say('Delete')}
          </Button>
          <Button onPress={() => setAsking(false)}>{say('Cancel')}</Button>
        </div>
      </Dialog>
    </>
  );
}
