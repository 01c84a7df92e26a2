import type { Site } from '../site/site.ts';
import type { ContentObject, ResolvedNode } from '../storage/content-row.ts';
import type { Queryable } from '../storage/database.ts';
import { readVersion, type VersionRow } from '../storage/statements/load-content.ts';
import { splitColumns } from './column-values.ts';
import { hasVersions } from './version-policy.ts';

/** The name under which versions keep the layout, which is no field. */
export const LAYOUT = 'layout';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * An object as it was in a version. Its values, layout and time of change are those of the version; its address, state,
 * local roles, lock, owner and children are the present ones, and so is who may view it.
 */
function asVersion(object: ContentObject, { at, replaced }: VersionRow): ContentObject {
  const { [LAYOUT]: layout = object.layout, ...values } = replaced;
  const { columns, fields: changed } = splitColumns(values);
  const fields = { ...object.fields, ...changed };
  return {
    ...object,
    ...columns,
    fields,
    layout: typeof layout === 'string' ? layout : null,
    modified: at,
    title: text(fields.title),
    description: text(fields.description),
    navTitle: text(fields.nav_title) || null,
    linksNeighbours: fields.nextPreviousEnabled === true,
  };
}

/** An object with its way from the root, as it was in a version; undefined when it has no version of that number. One statement. */
export async function resolvedVersion(
  db: Queryable,
  site: Site,
  { object, ancestors }: ResolvedNode,
  number: number,
): Promise<ResolvedNode | undefined> {
  const type = site.types.get(object.type);
  const versioned = type !== undefined && hasVersions(type);
  const row = await readVersion(db, { content: object.oid, number, versioned });
  return row && { object: asVersion(object, row), ancestors };
}
