/** The texts of one language by the same in English: the server's own words, and the titles that its profiles bring. */
export type Messages = Readonly<Record<string, string>>;
