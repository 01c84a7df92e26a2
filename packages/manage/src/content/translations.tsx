import { useState } from 'react';
import { useAction, useData } from '../lib/data.ts';
import { languageTitle } from '../lib/format.ts';
import { go, linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { pathOf } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { Link } from '../parts/link.tsx';
import { ErrorNotice, Notice, Ready } from '../parts/notice.tsx';
import { OneField } from '../parts/one-field.tsx';
import { Panel } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { placeOf, type SiteObject } from './object.ts';

type Listed = { items: { '@id': string; language: string }[]; root: Record<string, string> };
type Row = { language: string; path: string | undefined };

/** The language of an object; undefined for content without one. */
function languageOf({ content }: SiteObject): string | undefined {
  const { language } = content;
  const token = typeof language === 'object' && language !== null && 'token' in language ? language.token : undefined;
  return typeof token === 'string' && token !== '' ? token : undefined;
}

/** The place for a translation: its container, where the user may add content of the type. */
async function placeFor(object: SiteObject, language: string): Promise<string> {
  const { '@id': address } = await placeOf(object.path).request<{ '@id': string }>('GET', '@translation-locator', {
    query: { target_language: language },
  });
  const path = pathOf(address);
  const types = await placeOf(path).request<{ id: string; addable: boolean }[]>('GET', '@types');
  if (types.some(({ id, addable }) => addable && id === object.content['@type'])) return path;
  throw new Error(say('It belongs in {path}, where you may not add it.', { path }));
}

type ChangeProps = { object: SiteObject; rows: readonly Row[]; mayChange: boolean; reload: () => void };

/** The languages of the site with the translation into each, and the ways to change them. */
function Languages({ object, rows, mayChange, reload }: ChangeProps) {
  const [done, setDone] = useState<string>();
  const action = useAction();
  const { path } = object;
  const change = async (method: 'POST' | 'DELETE', body: object, sentence: string): Promise<boolean> => {
    setDone(undefined);
    const isDone = await action.run(() => placeOf(path).request(method, '@translations', { body }));
    if (!isDone) return false;
    setDone(sentence);
    reload();
    return true;
  };
  const make = (language: string): Promise<boolean> =>
    action.run(async () => {
      const container = await placeFor(object, language);
      go(linkTo('add', { path: container, type: String(object.content['@type']), of: path, language }));
    });
  return (
    <>
      <Table<Row>
        caption={say('Translations')}
        rows={rows}
        keyOf={({ language }) => language}
        columns={[
          { id: 'language', title: say('Language'), cell: ({ language }) => languageTitle(language) },
          {
            id: 'translation',
            title: say('Translation'),
            cell: ({ path: there }) =>
              there === undefined ? (
                <span className="soft">{say('Not yet')}</span>
              ) : (
                <Link to={linkTo('content', { path: there, tab: 'translations' })}>{there}</Link>
              ),
          },
          {
            id: 'do',
            title: '',
            cell: ({ language, path: there }) =>
              mayChange && (
                <div className="actions">
                  {there === undefined ? (
                    <Button
                      kind="quiet"
                      isDisabled={action.isBusy}
                      label={say('Make the translation: {language}', { language: languageTitle(language) })}
                      onPress={() => void make(language)}
                    >
                      {say('Make one')}
                    </Button>
                  ) : (
                    <Button
                      kind="quiet"
                      isDisabled={action.isBusy}
                      label={say('Unlink: {name}', { name: languageTitle(language) })}
                      onPress={() =>
                        void change('DELETE', { language }, say('It is no longer linked. The content stays.'))
                      }
                    >
                      {say('Unlink')}
                    </Button>
                  )}
                </div>
              ),
          },
        ]}
      />
      {done !== undefined && <Notice kind="good">{done}</Notice>}
      <ErrorNotice error={action.error} />
      {mayChange && rows.some((row) => row.path === undefined) && (
        <OneField
          label={say('Path of content that is a translation of this')}
          button={say('Link it')}
          isBusy={action.isBusy}
          onSend={(id) => change('POST', { id }, say('It is linked now.'))}
        />
      )}
    </>
  );
}

/** The same content in other languages: linked, unlinked, made. */
export function Translations({ object }: { object: SiteObject }) {
  const { path, actions } = object;
  const own = languageOf(object);
  const state = useData(`translations ${path}`, async (signal) => {
    const place = placeOf(path);
    const [listed, decision] = await Promise.all([
      place.request<Listed>('GET', '@translations', { signal }),
      place.request<{ allowed: boolean }>('GET', '@explain-access', {
        signal,
        query: { permission: 'Manage translations' },
      }),
    ]);
    return { ...listed, mayManage: decision.allowed };
  });
  return (
    <Ready of={state}>
      {({ items, root, mayManage }) => {
        const found = new Map(items.map((item) => [item.language, pathOf(item['@id'])]));
        const languages = [...new Set([...Object.keys(root), ...found.keys()])].filter((one) => one !== own);
        // The folders of the languages are linked for good.
        const isFixed = own === undefined || path === `/${own}`;
        return (
          <Panel>
            <p className="soft">
              {own === undefined
                ? say('It has no language. Give it one among its fields: then it can have translations.')
                : say('This is in {language}.', { language: languageTitle(own) })}
            </p>
            <Languages
              object={object}
              rows={languages.map((language) => ({ language, path: found.get(language) }))}
              mayChange={mayManage && actions.has('edit') && !actions.has('iterate_checkin') && !isFixed}
              reload={state.reload}
            />
          </Panel>
        );
      }}
    </Ready>
  );
}
