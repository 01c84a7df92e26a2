/** Channel of notifications between processes: without payload when a job waits, with the id of a job to abort. */
export const JOBS_CHANNEL = 'canopy_jobs';
