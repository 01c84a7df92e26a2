import { JointReads, joining } from '../../database/joint-reads.ts';
import { type LookupResult, locate } from '../content/locate.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Authentication, authenticate, type RequestWithProof } from '../people/authenticate.ts';
import type { AuthContext } from '../people/login.ts';

/**
 * Authenticates the caller of a write while its path is looked up: neither depends on the other, so they are one message to the
 * database. Throws what `authenticate` throws.
 */
export async function authenticateWithLookup(
  { kernel, auth }: { kernel: Kernel; auth: AuthContext },
  request: RequestWithProof & { path: string },
): Promise<{ authentication: Authentication; lookup: Promise<LookupResult> }> {
  const joint = new JointReads();
  const release = (): void => joint.release();
  const lookup = locate({ ...kernel, db: joining(kernel.db, joint) }, request.path);
  // Its failure is thrown where the lookup is used; the other statement must not wait for one that was never sent.
  lookup.then(release, release);
  try {
    return { authentication: await authenticate({ ...auth, db: joining(auth.db, joint) }, request), lookup };
  } finally {
    joint.release();
  }
}
