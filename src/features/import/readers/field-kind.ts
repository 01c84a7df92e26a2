import type { Property } from '../../../types/definition.ts';
import type { FieldKind, Sample } from '../../../types/field-kind.ts';
import type { FieldKinds } from '../../../types/field-kinds.ts';
import type { ImportItem } from '../import-source.ts';
import { tokenOf } from '../json-values.ts';

/** The kind of field that fits all values that the samples have for it; that of an empty text when none has any. */
export function kindOfField(kinds: FieldKinds, name: string, items: readonly ImportItem[]): FieldKind {
  const samples: Sample[] = [];
  for (const { fields, files } of items) {
    for (const file of files) {
      if (file.field !== name) continue;
      const { contentType, width, height } = file;
      samples.push({
        file: { contentType, ...(width !== undefined && { width }), ...(height !== undefined && { height }) },
      });
    }
    const value = Object.hasOwn(fields, name) ? fields[name] : null;
    // An empty text is how fields of several kinds say that they have no value.
    if (value !== null && value !== undefined && value !== '') samples.push({ value: plainValue(value) });
  }
  const kind = kinds.recognize(samples.length > 0 ? samples : [{ value: '' }]);
  if (!kind) throw new Error('No kind of field takes every value');
  return kind;
}

/** A value with the tokens of its terms: Plone exports choices as `{token, title}`. */
function plainValue(value: unknown): unknown {
  if (!Array.isArray(value)) {
    const token = tokenOf(value);
    return token === undefined ? value : (token ?? '');
  }
  return value.map((item) => {
    const token = tokenOf(item);
    return typeof token === 'string' ? token : item;
  });
}

/** The definition of a field of this kind, as a type stores it. */
export function propertyOf(name: string, { factories: [{ name: factory, property }], imported }: FieldKind): Property {
  return { title: titleFrom(name), factory, ...property, ...imported };
}

/** `remoteUrl` → `Remote url`, `display_frontpage` → `Display frontpage`. */
function titleFrom(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s._-]+/)
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
