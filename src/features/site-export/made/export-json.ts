import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { schemas } from '#core';
import type { JsonObject } from '#lib/json-object';
import { JobBody, jobJson } from '../../jobs/job-json.ts';
import type { Job } from '../../jobs/statements/jobs.ts';
import type { ExportSummary } from '../export-site.ts';
import type { MadeExport } from '../statements/made.ts';

const Moment = Type.String({ format: 'date-time' });

/** The contents of an export, and the parts that it lacks. */
const Report = Type.Object({
  objects: Type.Integer(),
  files: Type.Integer({ description: 'Number of files, those of former versions included.' }),
  bytes: Type.Integer({ description: 'The size of these files.' }),
  tables: Type.Record(Type.String(), Type.Integer(), { description: 'Number of rows by table.' }),
  secrets_left: Type.Integer({ description: 'Secrets that were left out because there was no passphrase.' }),
  unknown_tables: Type.Array(Type.String(), {
    description: 'Tables of packages that are not loaded; they are left out.',
  }),
  missing_files: Type.Array(Type.String(), { description: 'Files that the store has lost, the first 200 of them.' }),
  missing_count: Type.Integer({ description: 'Number of files that the store has lost.' }),
  plone_lacks: Type.Object(
    {
      users: Type.Integer({ description: 'Users, who set new passwords there.' }),
      without_email: Type.Integer({ description: 'Users without an e-mail address, who are left out.' }),
      comments: Type.Integer({ description: 'Comments that wait for review, which are left out.' }),
    },
    { description: 'Parts that Plone does not import unchanged.' },
  ),
});

/** An export in responses. */
export const ExportBody = Type.Object({
  '@id': schemas.Address,
  id: Type.String({ format: 'uuid' }),
  path: Type.String({ description: 'The part of the site, `/` for all of it.' }),
  encrypted: Type.Boolean({ description: 'True if secrets come along, encrypted with the passphrase.' }),
  actor: Type.String({ description: 'Id of the user who has asked for it.' }),
  created: Moment,
  expires: Type.String({ format: 'date-time', description: 'When it is removed.' }),
  filename: Type.String({ description: 'The name of the file for its download.' }),
  file: schemas.Nullable(Type.String({ format: 'uri' }), {
    description: 'Address of the file; null until it is made.',
  }),
  bytes: schemas.Nullable(Type.Integer(), { description: 'The size of the file.' }),
  job: schemas.Nullable(JobBody, { description: 'Its job: null after jobs are pruned.' }),
  report: schemas.Nullable(Report, { description: 'The contents, once it is made.' }),
});

/** The report as the table has it. */
export const storedReport = (summary: ExportSummary): JsonObject => ({
  ...{ objects: summary.objects, files: summary.files, bytes: summary.bytes, tables: summary.tables },
  secrets_left: summary.secretsLeft,
  unknown_tables: [...summary.unknownTables],
  missing_files: [...summary.missingFiles],
  missing_count: summary.missingCount,
  plone_lacks: {
    users: summary.ploneLacks.users,
    without_email: summary.ploneLacks.withoutEmail,
    comments: summary.ploneLacks.comments,
  },
});

/** Address of an export. */
export const exportUrl = (base: string, id: string): string => `${base}/@exports/${id}`;

/** The name of the file of an export: that of its folder, and the day. */
export const filenameOf = ({ path, created }: Pick<MadeExport, 'path' | 'created'>): string =>
  `${path.split('/').at(-1) || 'site'}-${created.toISOString().slice(0, 10)}.zip`;

/** Represents an export with its job. */
export function exportJson(base: string, made: MadeExport, job: Job | undefined): Static<typeof ExportBody> {
  const { id, path, encrypted, actor, created, expires, blob, bytes, report } = made;
  const url = exportUrl(base, id);
  return {
    ...{ '@id': url, id, path, encrypted, actor, bytes, filename: filenameOf(made) },
    created: created.toISOString(),
    expires: expires.toISOString(),
    file: blob === null ? null : `${url}/file`,
    job: job ? jobJson(base, job) : null,
    report: report !== null && Check(Report, report) ? report : null,
  };
}
