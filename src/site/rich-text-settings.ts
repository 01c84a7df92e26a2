import type { Property } from '../types/definition.ts';

type Part = { properties?: Record<string, Property> };

const textsIn = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;

/**
 * Puts what the site says of formatted text into the fields of a type or behavior: the formats that are taken and the one
 * of text without any (panel `markup`), and the editor that forms should have (panel `editing`).
 */
export function richTextBySettings(
  settings: ReadonlyMap<string, Record<string, unknown>>,
): <P extends Part>(part: P) => P {
  const { allowed_types: allowed, default_type: format } = settings.get('markup') ?? {};
  const { default_editor: editor } = settings.get('editing') ?? {};
  const formats = textsIn(allowed);
  const withSettings = (property: Property): Property =>
    property.factory === 'Rich Text'
      ? {
          ...property,
          ...(formats ? { allowed_mime_types: formats } : {}),
          ...(typeof format === 'string' ? { default_mime_type: format } : {}),
          ...(typeof editor === 'string' ? { widgetOptions: { ...property.widgetOptions, editor } } : {}),
        }
      : property;
  return (part) =>
    part.properties
      ? {
          ...part,
          properties: Object.fromEntries(
            Object.entries(part.properties).map(([name, property]) => [name, withSettings(property)]),
          ),
        }
      : part;
}
