import { z } from 'zod'
import { failureReason } from './errors.ts'
import { priceSourceUseSchema } from './price-services.ts'
import { component, instant } from './values.ts'

export const priceTermSchema = z.strictObject({
  fact: z
    .enum(['source', 'title', 'side', 'currency', 'market', 'date', 'vat', 'unit'])
    .describe('What holds for the prices.'),
  value: z.string().nullable().describe('Its value; null if each row states its own.'),
  by: z
    .enum(['option', 'profile', 'column', 'words', 'setting'])
    .describe('What says so, strongest first: `words` are titles, lines around the table and names.'),
  overrules: z
    .array(z.enum(['option', 'profile', 'column', 'words', 'setting']))
    .describe('Weaker evidence that says something else.'),
})

const importSummarySchema = z.strictObject({
  columns: z
    .array(
      z.strictObject({
        name: z.string().describe('Name in the file.'),
        field: z.string().nullable().describe('Field it was imported as; null if it was not used.'),
      }),
    )
    .describe('What each column was taken for.'),
  terms: z.array(priceTermSchema).describe('What held for all rows and by which evidence.'),
  remarks: z.record(z.string(), z.number()).describe('Remarks about accepted rows by code.'),
})

export const importRunSchema = component('Import', 'One import.', {
  id: z.string().describe('Import id.'),
  format: z.string().describe('Format of the file.'),
  started_at: instant.describe('Time of the start.'),
  finished_at: instant.nullable().describe('Time of the end; null before it.'),
  state: z.enum(['done', 'failed', 'unfinished']).describe('`unfinished`: running, or interrupted.'),
  counts: z
    .record(z.string(), z.number())
    .describe('Counts by name: `rows` read, `rejected`, and further ones by format.'),
  file: z.string().optional().describe('Name of the file. This and the fields below: for the operator only.'),
  failure: z.string().nullable().optional().describe('Why it failed.'),
  failure_reason: failureReason.optional(),
  rejected_by: z.record(z.string(), z.number()).optional().describe('Rejected rows by code of the reason.'),
  summary: importSummarySchema.optional().describe('How a price list was read.'),
  has_report: z.boolean().optional().describe('Whether the rejected rows can be downloaded.'),
  can_undo: z.boolean().optional().describe('Whether its prices can be removed.'),
  undone_at: z.string().nullable().optional().describe('Time at which its prices were removed.'),
})

export const undoneImportSchema = z.strictObject({
  observations: z.int().min(0).describe('Prices removed.'),
  restored: z.int().min(0).describe('Prices that were restored.'),
  devices: z.int().min(0).describe('Devices whose prices are recalculated.'),
})
export type ImportRunWire = z.infer<typeof importRunSchema>

export const feedSchema = component('Feed', 'A file or price service that is fetched and imported by schedule.', {
  name: z.string().describe('Name.'),
  format: z.string().describe('Format of the file.'),
  schedule: z.string().nullable().describe('Cron expression; null for a feed without a schedule.'),
  time_zone: z.string().nullable().describe('Time zone of the schedule.'),
  last_run_at: instant.nullable().describe('Time of the last run; null if it never ran.'),
  outcome: z
    .enum(['imported', 'unchanged', 'failed', 'stopped', 'unfinished'])
    .nullable()
    .describe('Result of the last run; `unfinished`: running, or interrupted.'),
  last_success_at: instant.nullable().describe('Time of the last success.'),
  last_failure_at: instant.nullable().describe('Time of the last failure.'),
  next_run_at: instant.nullable().describe('Time of the next run.'),
  prices: priceSourceUseSchema.nullable().describe('Requests and freshness of a price service; null for a file.'),
  url: z.string().optional().describe('Address without secrets. This and the fields below: for the operator only.'),
  finished_at: instant.nullable().optional().describe('End of the last run; null while it runs.'),
  failure: z.string().nullable().optional().describe('Why the last failed run failed.'),
  failure_reason: failureReason.optional(),
  failures: z.int().min(0).optional().describe('Failed runs since the last success.'),
})
export type FeedWire = z.infer<typeof feedSchema>
