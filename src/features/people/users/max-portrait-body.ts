/** Bytes of a body that may bring a picture: about six million of the picture, which base64 makes a third longer. */
export const MAX_PORTRAIT_BODY = 8 * 1024 * 1024;
