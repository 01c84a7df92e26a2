/** Name of the job action that makes backups. */
export const BACKUP_ACTION = 'backup';
