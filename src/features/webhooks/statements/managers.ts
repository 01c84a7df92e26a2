import type { Queryable } from '#core';

/** Maximum number of Managers that get a mail. */
const MAX_MANAGERS = 20;

/** The names and addresses of users with the role Manager of their own. */
export const managersWithMail = (db: Queryable): Promise<{ name: string; address: string }[]> =>
  db.query({
    text: `select fullname as name, email as address from account
      where roles @> array['Manager'] and email <> '' and disabled is null order by created, id limit ${MAX_MANAGERS}`,
  });
