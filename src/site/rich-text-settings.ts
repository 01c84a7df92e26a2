import type { Property } from '../types/definition.ts';
import { panelSettings } from './panel.ts';
import { editingPanel } from './panels/editing-panel.ts';
import { markupPanel } from './panels/markup-panel.ts';
import type { Site } from './site.ts';

type Part = { properties?: Record<string, Property> };

/**
 * Puts what the site says of formatted text into the fields of a type or behavior: the formats that are taken and the one
 * of text without any (panel `markup`), and the editor that forms should have (panel `editing`).
 */
export function richTextBySettings(settings: Site['settings']): <P extends Part>(part: P) => P {
  const { allowed_types: formats, default_type: format } = panelSettings({ settings }, markupPanel);
  const { default_editor: editor } = panelSettings({ settings }, editingPanel);
  const withSettings = (property: Property): Property =>
    property.factory === 'Rich Text'
      ? {
          ...property,
          allowed_mime_types: formats,
          default_mime_type: format,
          widgetOptions: { ...property.widgetOptions, editor },
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
