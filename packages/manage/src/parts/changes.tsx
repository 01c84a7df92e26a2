import { say } from '../lib/say.ts';
import { Panel } from './page.tsx';

type FieldChange = { field?: string; before?: unknown; after?: unknown };
export type Change = { path?: string; text?: string; fields?: FieldChange[] };

const shown = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** The changes that a rehearsal puts into words: without numbers of rows and the like. */
export const Changes = ({ changes }: { changes: readonly Change[] }) => (
  <Panel title={say('What it would change')}>
    {changes
      .filter(({ text }) => text !== undefined)
      .map(({ path, text, fields = [] }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
        <div key={index}>
          <h3>
            <span className="path">{path}</span> {text}
          </h3>
          {fields.length > 0 && (
            <dl className="facts">
              {fields.map(({ field, before, after }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
                <div key={at}>
                  <dt>{field}</dt>
                  <dd>
                    {before !== undefined && <del>{shown(before)}</del>} <ins>{shown(after)}</ins>
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      ))}
  </Panel>
);
