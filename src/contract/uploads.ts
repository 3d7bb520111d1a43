import { z } from 'zod'
import { importRunSchema } from './dashboard.ts'

/** The wire of imports by upload, under /account/uploads. */

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
      'date',
      'date-order',
      'condition',
      'assign',
      'range',
      'profile',
      'add-variants',
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

/** A file comes in pieces of so many bytes, below the megabyte that proxies let through unless they are told otherwise. */
export const CHUNK_BYTES = 1_000_000

const uploadId = z.string().regex(/^upl_[a-z0-9]{1,60}$/i, 'expected the id of an upload')

export const uploadBodies = {
  begin: z.object({
    format: z.enum(UPLOAD_FORMAT_NAMES),
    file: z.string().min(1).max(255),
    bytes: z.int().min(1),
  }),
  check: z.object({ id: uploadId, options: z.record(z.string().max(40), z.string().max(10_000)) }),
  change: z.object({ id: uploadId }),
} as const

/** `checked`: it was looked over; `failure` says why it cannot be imported, where it cannot. */
export const uploadStateSchema = z.enum(['receiving', 'checking', 'checked', 'running', 'ended'])
export type UploadState = z.infer<typeof uploadStateSchema>

const parsedPriceSchema = z.strictObject({
  device_id: z.string(),
  variant_id: z.string().nullable(),
  configuration: z.string(),
  grade: z.string(),
  side: z.string(),
  /** US cents. */
  cents: z.number(),
  day: z.string(),
})

/** A row as it came, and what was made of it or why it is refused. */
export const previewRowSchema = z.strictObject({
  line: z.number(),
  came: z.string(),
  read: parsedPriceSchema.nullable(),
  problem: z.string().nullable(),
})
export type PreviewRowWire = z.infer<typeof previewRowSchema>

/** What the columns of a price list were taken for, and some of its rows. */
export const pricePreviewSchema = z.strictObject({
  columns: z.array(
    z.strictObject({
      name: z.string(),
      read_as: z.string().nullable(),
      examples: z.array(z.string()),
    }),
  ),
  implied: z.strictObject({
    currency: z.string().optional(),
    side: z.string().optional(),
  }),
  rows: z.array(previewRowSchema),
  refused: z.array(
    z.strictObject({
      reason: z.string(),
      rows: z.array(previewRowSchema),
    }),
  ),
  unknown_conditions: z.array(
    z.strictObject({
      word: z.string(),
      rows: z.number(),
    }),
  ),
  /** What the list would do to prices; null where its columns are not recognised. */
  effect: z
    .strictObject({
      /** One sentence. */
      text: z.string(),
      average_percent: z.number(),
      largest: z.array(z.strictObject({ device_id: z.string(), name: z.string(), percent: z.number() })),
      /** Prices move so far that a person should confirm it. */
      is_large: z.boolean(),
    })
    .nullable(),
})
export type PricePreviewWire = z.infer<typeof pricePreviewSchema>

export const uploadPreviewSchema = z.strictObject({
  /** `rows` read, `rejected`, and what they would come to. */
  figures: z.record(z.string(), z.number()),
  rejected_by: z.record(z.string(), z.number()),
  remarks: z.record(z.string(), z.number()),
  /** Models that the registry does not know, most frequent first. */
  unknown: z.array(
    z.strictObject({
      name: z.string(),
      count: z.number(),
    }),
  ),
  /** Variants that would be added. */
  added: z.array(
    z.strictObject({
      variant_id: z.string(),
      rows: z.number(),
    }),
  ),
  /** What the importer says of the list. */
  notes: z.array(z.string()),
  prices: pricePreviewSchema.nullable(),
})
export type UploadPreviewWire = z.infer<typeof uploadPreviewSchema>

export const uploadSchema = z.strictObject({
  id: z.string(),
  format: z.enum(UPLOAD_FORMAT_NAMES),
  file: z.string(),
  bytes: z.number(),
  received: z.number(),
  state: uploadStateSchema,
  by: z.string(),
  created_at: z.string(),
  options: z.record(z.string(), z.string()),
  preview: uploadPreviewSchema.nullable(),
  /** How far it is while it is being checked or imported; the share is in percent, and null where it is not known. */
  progress: z.strictObject({
    rows: z.number(),
    percent: z.number().nullable(),
    note: z.string().nullable(),
  }),
  failure: z.string().nullable(),
  /** The import that it became. */
  run: importRunSchema.nullable(),
})
export type UploadWire = z.infer<typeof uploadSchema>

export const uploadPageSchema = z.strictObject({
  /** Whether the session's organization runs this service; others see what was imported. */
  allowed: z.boolean(),
  most_bytes: z.number(),
  piece_bytes: z.number(),
  /** The upload that this person has not finished with, or that ended last. */
  current: uploadSchema.nullable(),
  profiles: z.array(
    z.strictObject({
      name: z.string(),
      options: z.record(z.string(), z.string()),
    }),
  ),
  currencies: z.array(z.string()),
  /** Of prices that name no country: the organization's market. */
  default_market: z.string(),
  markets: z.array(z.strictObject({ code: z.string(), name: z.string() })),
})
export type UploadPageWire = z.infer<typeof uploadPageSchema>
