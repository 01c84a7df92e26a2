import type { RenderContext } from './render-context.ts';

/** Values of a list parameter: it may be repeated, may have Zope's name `name:list`, and with `commas` may separate values by commas. */
function listParameter(query: URLSearchParams, name: string, commas = false): string[] {
  const values = [...query.getAll(name), ...query.getAll(`${name}:list`)];
  return (commas ? values.flatMap((value) => value.split(',')) : values)
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

/** The name of a parameter without Zope's suffix (`:list`). */
export const withoutSuffix = (name: string): string => name.replace(/:\w+$/, '');

/** Says if a parameter, by its name without a suffix, is an option of representations. */
export const isRenderOption = (name: string): boolean =>
  name === 'expand' || name === 'metadata_fields' || name.startsWith('expand.');

/** Parses the options of representations: `expand` with its options, and `metadata_fields`. Unknown names are ignored. */
export function parseRenderOptions(
  query: URLSearchParams,
): Pick<RenderContext, 'expand' | 'expandOptions' | 'metadataFields'> {
  const expandOptions = new Map<string, string[]>();
  for (const [name, value] of query) {
    if (!name.startsWith('expand.')) continue;
    const key = withoutSuffix(name);
    expandOptions.set(key, [...(expandOptions.get(key) ?? []), value]);
  }
  return {
    expand: new Set(listParameter(query, 'expand', true)),
    expandOptions,
    metadataFields: listParameter(query, 'metadata_fields'),
  };
}
