import type { Service } from '../../services/service.ts';
import { deleteAliases } from './delete-aliases.ts';
import { deleteSiteAliases } from './delete-site-aliases.ts';
import { getAliases } from './get-aliases.ts';
import { getSiteAliases } from './get-site-aliases.ts';
import { postAliases } from './post-aliases.ts';
import { postSiteAliases } from './post-site-aliases.ts';

export const aliasesServices: Service[] = [
  getSiteAliases,
  getAliases,
  postSiteAliases,
  postAliases,
  deleteSiteAliases,
  deleteAliases,
];
