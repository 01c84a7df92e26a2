import type { Service } from '../../services/service.ts';
import { getSharing } from './get-sharing.ts';
import { postSharing } from './post-sharing.ts';

export const sharingServices: Service[] = [getSharing, postSharing];
