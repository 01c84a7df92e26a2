const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Says if a text has the form of a UUID, so that it may be compared with a column of this type. */
export const isUuid = (text: string): boolean => UUID.test(text);
