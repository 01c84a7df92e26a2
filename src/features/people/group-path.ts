/** The address of a group, for errors. */
export const groupPath = (id: string): string => `/@groups/${id}`;
