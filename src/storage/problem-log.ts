/** Where storage reports a problem that it survives: a short sentence, and what was thrown. */
export type ProblemLog = (message: string, error: unknown) => void;
