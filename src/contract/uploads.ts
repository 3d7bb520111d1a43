import { z } from 'zod'
import { failureReason, reasonFields } from './errors.ts'
import { importRunSchema, priceTermSchema } from './imports.ts'
import { component, idValue } from './values.ts'

/** Options that every format takes. */
const FILE_OPTIONS = ['encoding', 'sheet', 'max-rejected']

/** Formats that can be uploaded, with the options each takes. No option names a file on the server. */
export const UPLOAD_OPTIONS_BY_FORMAT = {
  observations: [
    ...[
      'map',
      'title',
      'source',
      'side',
      'currency',
      'market',
      'vat',
      'date',
      'date-order',
      'condition',
      'assign',
      'range',
      'profile',
      'add-variants',
      'confirm-amounts',
      'these-devices-only',
      'max-change',
    ],
    ...FILE_OPTIONS,
  ],
  lists: ['list', 'kind', 'clears', 'area', 'max-age-days', 'max-shrink-percent', 'accept-shrink', ...FILE_OPTIONS],
  rates: FILE_OPTIONS,
  catalogue: FILE_OPTIONS,
  tac: FILE_OPTIONS,
  repairs: FILE_OPTIONS,
  'open-repair': ['source', ...FILE_OPTIONS],
} as const satisfies Record<string, readonly string[]>

export type UploadFormat = keyof typeof UPLOAD_OPTIONS_BY_FORMAT
const UPLOAD_FORMAT_NAMES = Object.keys(UPLOAD_OPTIONS_BY_FORMAT) as [UploadFormat, ...UploadFormat[]]

/** Size of a part of a file: in base64 below the megabyte that proxies allow by default. */
export const PART_BYTES = 700_000

const newFileSchema = z.strictObject({
  format: z.enum(UPLOAD_FORMAT_NAMES).describe('Format of the file.'),
  file: z.string().min(1).max(255).describe('Name of the file.'),
  bytes: z.int().min(1).describe('Size of the file.'),
})
export const newUploadSchema = z.union([
  newFileSchema,
  z.strictObject({ rejected_rows_of: idValue.describe('Import whose rejected rows are the file.') }),
])

const CONTENT = `base64 of at most ${PART_BYTES.toLocaleString('en-US')} bytes`

export const uploadPartSchema = z.strictObject({
  at: z.int().min(0).describe('Offset of the part in the file.'),
  content: z
    .base64({ error: CONTENT })
    .max(Math.ceil(PART_BYTES / 3) * 4, CONTENT)
    .describe('Bytes of the part in base64.'),
})

export const uploadChangeSchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('check').describe('Reads the file without writing anything.'),
    options: z.record(z.string().max(40), z.string().max(10_000)).describe('Options of the import by name.'),
  }),
  z.strictObject({ action: z.enum(['run', 'stop']).describe('Imports the file, or stops a check or an import.') }),
])

export const uploadStateSchema = z
  .enum(['receiving', 'checking', 'checked', 'running', 'ended'])
  .describe('State; after `checked`, `failure` says why it cannot be imported, if it cannot.')
export type UploadState = z.infer<typeof uploadStateSchema>

const parsedPriceSchema = component('ParsedPrice', 'A price as the importer understood it.', {
  device_id: z.string().describe('Device.'),
  variant_id: z.string().nullable().describe('Variant; null if the row does not identify one.'),
  configuration: z.string().describe('Configuration as text.'),
  grade: z.string().describe('Condition grade.'),
  side: z.string().describe('Whether a purchase or a sale.'),
  cents: z.number().describe('Price in US cents.'),
  day: z.string().describe('Day of the price.'),
})

export const previewRowSchema = component('UploadPreviewRow', 'A row of the file and its result.', {
  line: z.number().describe('Line of the file.'),
  raw: z.string().describe('The row as it is in the file.'),
  parsed: parsedPriceSchema.nullable().describe('The price it contains; null if the row is rejected.'),
  problem: z.string().nullable().describe('Code of the reason why it is rejected.'),
})
export type PreviewRowWire = z.infer<typeof previewRowSchema>

export const pricePreviewSchema = component('PricePreview', 'Effect of importing a price list.', {
  columns: z
    .array(
      z.strictObject({
        name: z.string().describe('Name in the file.'),
        field: z.string().nullable().describe('Field it is imported as; null if it is ignored.'),
        examples: z.array(z.string()).describe('First values.'),
      }),
    )
    .describe('Columns and their fields.'),
  implied: z
    .strictObject({
      currency: z.string().optional().describe('Currency.'),
      side: z.string().optional().describe('Whether purchases or sales.'),
    })
    .describe('Values implied by the names of the columns.'),
  rows: z.array(previewRowSchema).describe('The first rows.'),
  rejected: z
    .array(
      z.strictObject({
        reason: z.string().describe('Code of the reason.'),
        rows: z.array(previewRowSchema).describe('The first of these rows.'),
      }),
    )
    .describe('Rejected rows by reason.'),
  unknown_conditions: z
    .array(z.strictObject({ word: z.string().describe('Word.'), rows: z.number().describe('Rows with it.') }))
    .describe('Condition words that are not recognised.'),
  questions: z
    .array(
      z.strictObject({
        name: z
          .enum(['title', 'side', 'currency', 'market', 'date', 'condition', 'unit', 'range'])
          .describe('What the file does not say; also the option that answers it.'),
        guess: z.string().nullable().describe('Likely answer.'),
      }),
    )
    .describe('Questions about the whole file; nothing is imported until they are answered.'),
  terms: z
    .array(priceTermSchema)
    .describe('What holds for all rows and by which evidence; empty if the columns are not recognised.'),
  assumed: z
    .strictObject({
      market: z.string().describe('Country of prices that name none.'),
      currency: z.string().nullable().describe('Currency of prices that name none.'),
      vat: z.enum(['included', 'excluded']).describe('Whether prices contain VAT.'),
    })
    .nullable()
    .describe('What holds for rows that do not state it; null if the columns are not recognised.'),
  effect: z
    .strictObject({
      text: z.string().describe('One sentence.'),
      average_percent: z.number().describe('Average change of prices.'),
      largest: z
        .array(
          z.strictObject({
            device_id: z.string().describe('Device.'),
            name: z.string().describe('Name.'),
            percent: z.number().describe('Change.'),
            before: z.int().describe('Price without the list, in US cents.'),
            after: z.int().describe('Price with the list, in US cents.'),
          }),
        )
        .describe('Largest changes.'),
      departures: z
        .array(
          z.strictObject({
            device_id: z.string().describe('Device.'),
            name: z.string().describe('Name.'),
            first_price: z.int().describe('Price from launch price and age alone, in US cents.'),
            after: z.int().describe('Price with the list, in US cents.'),
          }),
        )
        .describe('Prices that would differ from the first price by more than half, the farthest first.'),
      others: z
        .strictObject({
          devices: z.int().min(0).describe('Number of devices that are not in the list and follow it.'),
          average_percent: z.number().describe('Their average change.'),
          largest: z
            .array(
              z.strictObject({
                device_id: z.string().describe('Device.'),
                name: z.string().describe('Name.'),
                percent: z.number().describe('Change.'),
              }),
            )
            .describe('The largest changes.'),
        })
        .describe('Devices that own prices also move; none with the option `these-devices-only`.'),
      is_large: z.boolean().describe('Whether prices change so much that a person should confirm it.'),
    })
    .nullable()
    .describe('Effect of the list on prices; null if its columns are not recognised.'),
})
export type PricePreviewWire = z.infer<typeof pricePreviewSchema>

const counts = z.record(z.string(), z.number())

export const uploadPreviewSchema = component('UploadPreview', 'Effect of importing the file.', {
  counts: counts.describe('Counts by name: `rows` read, `rejected`, and further ones by format.'),
  rejected_by: counts.describe('Rejected rows by code of the reason.'),
  remarks: counts.describe('Warnings by code, some with what they are about behind a colon, with the number of rows.'),
  unknown_models: z
    .array(z.strictObject({ name: z.string().describe('Name.'), count: z.number().describe('Rows.') }))
    .describe('Models that the registry does not know, most frequent first.'),
  added: z
    .array(z.strictObject({ variant_id: z.string().describe('Variant.'), rows: z.number().describe('Rows.') }))
    .describe('Variants that would be added.'),
  notes: z
    .array(z.strictObject({ message: z.string().describe('The remark in English.'), ...reasonFields }))
    .describe('Remarks on the whole file.'),
  prices: pricePreviewSchema.nullable().describe('Details of a price list; null for other formats.'),
})
export type UploadPreviewWire = z.infer<typeof uploadPreviewSchema>

export const uploadSchema = component('Upload', 'A file that is being imported.', {
  id: z.string().describe('Upload id.'),
  format: z.enum(UPLOAD_FORMAT_NAMES).describe('Format of the file.'),
  file: z.string().describe('Name of the file.'),
  bytes: z.number().describe('Size of the file.'),
  received: z.number().describe('Bytes received.'),
  state: uploadStateSchema,
  by: z.string().describe('Who started it.'),
  created_at: z.string().describe('Time of its start.'),
  options: z.record(z.string(), z.string()).describe('Options of the import.'),
  preview: uploadPreviewSchema.nullable().describe('Result of the check; null before it.'),
  progress: z
    .strictObject({
      rows: z.number().describe('Rows read.'),
      percent: z.number().nullable().describe('Share of the file; null if unknown.'),
      note: z.string().nullable().describe('Remark.'),
    })
    .describe('Progress of the check or the import.'),
  failure: z.string().nullable().describe('Why the check or the import failed.'),
  failure_reason: failureReason,
  run: importRunSchema.nullable().describe('The import of this upload; null before it started.'),
})
export type UploadWire = z.infer<typeof uploadSchema>

export const uploadPageSchema = component('Uploads', 'The current upload and what uploads can use.', {
  max_bytes: z.int().min(0).describe('Largest file; 0 if uploads are switched off.'),
  part_bytes: z.int().min(1).describe('Largest part of a file.'),
  current: uploadSchema.nullable().describe('The unfinished or last upload of the caller; null if there is none.'),
  profiles: z
    .array(
      z.strictObject({
        name: z.string().describe('Name.'),
        options: z.record(z.string(), z.string()).describe('Options.'),
      }),
    )
    .describe('Saved options of price lists.'),
  currencies: z.array(z.string()).describe('Currencies with an exchange rate.'),
  default_market: z.string().describe('Market of prices that name no country.'),
  markets: z
    .array(z.strictObject({ code: z.string().describe('Code.'), name: z.string().describe('Name.') }))
    .describe('Markets that prices can belong to.'),
})
export type UploadPageWire = z.infer<typeof uploadPageSchema>
