import type { Command } from '../../core/kernel/command.ts';
import { checkCommand } from './check.ts';
import { collectBlobsCommand } from './collect-blobs.ts';
import { doctorCommand } from './doctor.ts';
import { newAddonCommand } from './new-addon.ts';
import { reindexCommand } from './reindex.ts';
import { resetPasswordCommand } from './reset-password.ts';
import { rotateKeysCommand } from './rotate-keys.ts';
import { setCommand } from './set.ts';
import { startCommand } from './start.ts';

/** The commands of the program, in the order in which its help lists them. */
export const coreCommands: readonly Command[] = [
  startCommand,
  doctorCommand,
  checkCommand,
  reindexCommand,
  collectBlobsCommand,
  setCommand,
  resetPasswordCommand,
  rotateKeysCommand,
  newAddonCommand,
];
