import type { Service } from '../service.ts';
import { deleteUser } from './delete-user.ts';
import { getUser } from './get-user.ts';
import { getUsers } from './get-users.ts';
import { patchUser } from './patch-user.ts';
import { postResetPassword } from './post-reset-password.ts';
import { postUser } from './post-user.ts';

export const usersServices: Service[] = [getUsers, getUser, postUser, patchUser, deleteUser, postResetPassword];
