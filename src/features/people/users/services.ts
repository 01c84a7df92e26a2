import type { Service } from '../../../services/service.ts';
import { deleteUser } from './delete-user.ts';
import { getUser } from './get-user.ts';
import { getUsers } from './get-users.ts';
import { patchUser } from './patch-user.ts';

import { postUser } from './post-user.ts';
import { postUserAction } from './post-user-action.ts';

export const usersServices: Service[] = [getUsers, getUser, postUser, patchUser, deleteUser, postUserAction];
