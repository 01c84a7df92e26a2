import type { MakeThing, Scene } from './scene.ts';

/** Inserts a row with a fresh id. Returns the id. */
async function inserted({ site, number }: Scene, text: string, values: unknown[]): Promise<string> {
  const id = `fresh-${number()}`;
  await site.kernel.db.query({ text, values: [id, ...values] });
  return id;
}

const addUser = (scene: Scene, roles: string[]): Promise<string> =>
  inserted(scene, `insert into account (id, login, email, roles) values ($1, $1, $1 || '@example.org', $2)`, [roles]);

const addGroup = (scene: Scene, roles: string[]): Promise<string> =>
  inserted(scene, 'insert into principal_group (id, roles) values ($1, $2)', [roles]);

/** Users and groups that no other request uses. */
export const PEOPLE_THINGS: Record<string, MakeThing> = {
  'new user': (scene) => addUser(scene, ['Member']),
  'new manager': (scene) => addUser(scene, ['Manager']),
  'new manager by group': async (scene) => {
    const id = await addUser(scene, ['Member']);
    const text = `insert into group_member (group_id, member_id) values ('Administrators', $1)`;
    await scene.site.kernel.db.query({ text, values: [id] });
    return id;
  },
  'new group': (scene) => addGroup(scene, []),
  'new group of managers': (scene) => addGroup(scene, ['Manager']),
};
