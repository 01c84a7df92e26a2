import { isJsonObject } from '../lib/json-object.ts';
import type { Log } from '../lib/log.ts';
import { type Settings, SettingsError } from '../site/settings.ts';
import { KINDS } from '../site/site.ts';
import { writeConfiguration } from '../storage/statements/configuration.ts';
import { announcePassword } from './announce-password.ts';
import { openSite } from './open-site.ts';

/** A JSON value of the command line; what is no JSON is taken as text. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/**
 * Sets one value of the site's settings, `<panel>.<name>`, such as `security.store_tokens true`. Running servers on the same
 * database follow at once. Answers the exit code.
 */
export async function setCommand(
  settings: Settings,
  log: Log,
  { name, value }: { name: string; value: string },
): Promise<number> {
  const [panel = '', key = '', ...more] = name.split('.');
  if (!/^[a-z][a-z0-9_-]*$/.test(panel) || !/^[a-z][a-z0-9_]*$/.test(key) || more.length > 0) {
    throw new SettingsError(`"${name}" is not the name of a setting such as security.store_tokens.`);
  }
  const opened = await openSite(settings, log);
  announcePassword(opened);
  const { kernel, close } = opened;
  try {
    const site = await kernel.sites.current();
    const known = site.settings.get(panel);
    const data = { ...(isJsonObject(known) ? known : {}), [key]: readValue(value) };
    await kernel.db.transaction((tx) =>
      writeConfiguration(tx, [{ kind: KINDS.setting, id: panel, position: 0, data }]),
    );
    process.stdout.write(`${panel}.${key} = ${JSON.stringify(data[key])}\n`);
    return 0;
  } finally {
    await close();
  }
}
