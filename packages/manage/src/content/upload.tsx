import { type DragEvent, useState } from 'react';
import { note } from '../lib/data.ts';
import { bytes } from '../lib/format.ts';
import { say } from '../lib/say.ts';
import { sentenceOf } from '../parts/notice.tsx';
import { placeOf } from './object.ts';

type Sending = { name: string; size: number; sent: number; error?: string; isDone?: boolean };

/** Sends files into a folder, one after the other, in pieces that go on after a broken connection. */
export function Upload({ path, onDone }: { path: string; onDone: () => void }) {
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const [isOver, setOver] = useState(false);
  const send = async (files: readonly File[]): Promise<void> => {
    const first = sending.length;
    const report = (index: number, change: Partial<Sending>): void =>
      setSending((all) => all.map((one, at) => (at === first + index ? { ...one, ...change } : one)));
    setSending((all) => [...all, ...files.map(({ name, size }) => ({ name, size, sent: 0 }))]);
    for (const [index, file] of files.entries()) {
      try {
        await placeOf(path).upload(file, { filename: file.name, onProgress: ({ sent }) => report(index, { sent }) });
        report(index, { isDone: true });
      } catch (error) {
        note(error);
        report(index, { error: sentenceOf(error) });
      }
    }
    onDone();
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void send([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped here; the input in it does the same for everybody
    <div
      className={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label className="filter">
        <span>{say('Upload files: choose them, or drop them here')}</span>
        <input
          type="file"
          multiple
          onChange={({ target }) => {
            void send([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      </label>
      {sending.length > 0 && (
        <ul className="bare" aria-live="polite">
          {sending.map(({ name, size, sent, error, isDone }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows
            <li key={index}>
              {name} <span className="soft">{bytes(size)}</span>{' '}
              {isDone ? (
                <span className="soft">{say('Done')}</span>
              ) : error === undefined ? (
                <progress value={sent} max={Math.max(1, size)} aria-label={name} />
              ) : (
                <span className="problem">{error}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
