import { isJsonObject } from '../../../lib/json-object.ts';
import type { ExportFolder } from '../export-folder.ts';
import type { ImportReport } from '../import-report.ts';
import { memberOf, stringOrNull } from '../json-values.ts';
import { streamJsonList } from './json-list.ts';

/** Reports each portlet and each rule about inherited ones: this server has no portlets. */
export async function reportPortlets(
  folder: ExportFolder,
  names: readonly string[],
  problems: ImportReport,
): Promise<void> {
  for (const file of names) {
    for await (const { value } of streamJsonList(folder, file, problems)) {
      const path = stringOrNull(memberOf(value, '@id')) ?? stringOrNull(memberOf(value, 'uuid'));
      const managers = memberOf(value, 'portlets');
      for (const [manager, portlets] of isJsonObject(managers) ? Object.entries(managers) : []) {
        for (const [index, portlet] of (Array.isArray(portlets) ? portlets : []).entries()) {
          const type = stringOrNull(memberOf(portlet, 'type')) ?? 'unknown';
          const key = `portlets.${manager}.${index}`;
          const message = `Portlets are not imported: one of the type ${type} is left out.`;
          problems.add({ reason: 'unsupported', file, path, key, message });
        }
      }
      const rules = memberOf(value, 'blacklist_status');
      if (Array.isArray(rules) && rules.length > 0) {
        const message = 'Portlets are not imported: which of them are inherited is left out.';
        problems.add({ reason: 'unsupported', file, path, key: 'blacklist_status', message });
      }
    }
  }
}
