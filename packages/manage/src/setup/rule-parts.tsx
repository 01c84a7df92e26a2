import { useState } from 'react';
import { ServiceForm } from '../form/form-page.tsx';
import type { FormSchema, Values } from '../form/schema.ts';
import { useAction, useData } from '../lib/data.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice, Ready } from '../parts/notice.tsx';
import { Panel } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { Select } from '../parts/select.tsx';

export type Part = { idx: number; type: string; title: string; summary: string; first: boolean; last: boolean };
export type Kind = { '@schema': FormSchema; addview: string; title: string; description: string };

type RulePartsProps = {
  title: string;
  button: string;
  /** The service of the conditions, or of the actions, of a rule. */
  service: string;
  parts: readonly Part[];
  kinds: readonly Kind[];
  onChange: () => void;
};

function EditPart({ service, onDone }: { service: string; onDone: () => void }) {
  const stored = useData(service, (signal) => ask<Values & { '@schema': FormSchema }>('GET', service, { signal }));
  return (
    <Ready of={stored}>
      {(data) => (
        <ServiceForm
          schema={data['@schema']}
          stored={data}
          save={(body) => ask('PATCH', service, { body })}
          onSaved={onDone}
        />
      )}
    </Ready>
  );
}

/** The conditions or the actions of a rule in their order: changed, moved, removed, and further ones of the kinds that the site has. */
export function RuleParts({ title, button, service, parts, kinds, onChange }: RulePartsProps) {
  const [kindId, setKindId] = useState('');
  const [open, setOpen] = useState<number>();
  const action = useAction();
  const kind = kinds.find(({ addview }) => addview === kindId);
  const done = (): void => {
    setKindId('');
    setOpen(undefined);
    onChange();
  };
  const move = async ({ idx }: Part, way: '_move_up' | '_move_down'): Promise<void> => {
    const body = { 'form.button.Move': way };
    if (await action.run(() => ask('PATCH', `${service}/${idx}`, { body }))) done();
  };
  return (
    <Panel title={title}>
      <ErrorNotice error={action.error} />
      <ol className="bare">
        {parts.map((part) => (
          <li key={part.idx}>
            <strong>{part.title}</strong> <span className="soft">{part.summary}</span>
            <div className="actions">
              <Button
                kind="quiet"
                label={say('Change {name}', { name: part.title })}
                onPress={() => setOpen(open === part.idx ? undefined : part.idx)}
              >
                {say('Change')}
              </Button>
              {!part.first && (
                <Button
                  kind="quiet"
                  label={say('Move up: {name}', { name: part.title })}
                  onPress={() => void move(part, '_move_up')}
                >
                  ↑
                </Button>
              )}
              {!part.last && (
                <Button
                  kind="quiet"
                  label={say('Move down: {name}', { name: part.title })}
                  onPress={() => void move(part, '_move_down')}
                >
                  ↓
                </Button>
              )}
              <RemoveButton
                name={part.title}
                isQuiet
                remove={() => ask('DELETE', `${service}/${part.idx}`)}
                onRemoved={done}
              />
            </div>
            {open === part.idx && <EditPart service={`${service}/${part.idx}`} onDone={done} />}
          </li>
        ))}
      </ol>
      <Select
        label={button}
        value={kindId}
        options={[['', say('No value')], ...kinds.map((one) => [one.addview, one.title] as const)]}
        onChange={setKindId}
      />
      {kind && (
        <>
          <p className="soft">{kind.description}</p>
          <ServiceForm
            key={kindId}
            schema={kind['@schema']}
            stored={undefined}
            button={say('Add')}
            save={(values) => {
              // Fields that stayed at their defaults are sent as well: the site asks for all that are required.
              const defaults = Object.entries(kind['@schema'].properties).flatMap(([name, { default: value }]) =>
                value === undefined ? [] : [[name, value] as const],
              );
              return ask('POST', service, { body: { ...Object.fromEntries(defaults), ...values, type: kindId } });
            }}
            onSaved={done}
          />
        </>
      )}
    </Panel>
  );
}
