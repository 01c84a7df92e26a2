import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { isInHashList } from '../../lib/hash-list.ts';
import type { Kernel } from '../../site/kernel.ts';
import { type Site, textSetting } from '../../site/site.ts';
import { passwordProblem } from './person-rules.ts';

/** Fewest characters of a password, whatever is set (NIST SP 800-63B, 5.1.1.2). */
const LEAST = 8;
/** More cannot be asked for: people could not remember it. */
const MOST = 64;

/** Fewest characters of a password: `password_min_length` of the security settings, 8 unless set. */
function minimumPasswordLength(site: Site): number {
  const length = site.settings.get('security')?.password_min_length;
  return typeof length === 'number' && Number.isInteger(length) ? Math.min(MOST, Math.max(LEAST, length)) : LEAST;
}

/**
 * Whether a password is in the list that `breached_passwords_file` of the security settings names: a file in
 * `DATA_DIR`. A list that cannot be read is a fault of the site, told to its log; nobody is kept from a password by it.
 */
async function isBreached(kernel: Kernel, site: Site, password: string): Promise<boolean> {
  const name = basename(textSetting(site, 'security', 'breached_passwords_file', '').trim());
  if (name === '' || name.startsWith('.') || name.includes('\0')) return false;
  try {
    const sha1 = createHash('sha1').update(password).digest('hex');
    return await isInHashList(join(kernel.config.dataDir, name), sha1);
  } catch (error) {
    kernel.log.error({ err: error, file: name }, 'the list of breached passwords cannot be read');
    return false;
  }
}

/** What is wrong with a new password under the rules of the site; undefined when nothing is. */
export async function newPasswordProblem(kernel: Kernel, site: Site, password: string): Promise<string | undefined> {
  const problem = passwordProblem(password, minimumPasswordLength(site));
  if (problem !== undefined) return problem;
  return (await isBreached(kernel, site, password))
    ? 'Is known to attackers from elsewhere: choose another one.'
    : undefined;
}
