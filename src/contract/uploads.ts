import { z } from 'zod'
import type { ImportRunWire } from './dashboard.ts'

/** The wire of imports by upload, under /account/uploads. */

/** What can be uploaded, each with what may be said about it. No option names a file: a page has no business with those of the machine. */
export const UPLOAD_OPTIONS_BY_FORMAT = {
  observations: [
    ...['map', 'source', 'side', 'currency', 'date', 'date-order', 'condition', 'range', 'profile', 'add-variants'],
  ],
  lists: ['list', 'kind', 'clears', 'area', 'max-age-days', 'max-shrink-percent', 'accept-shrink'],
  rates: [],
  catalogue: [],
  tac: [],
  repairs: [],
  'open-repair': ['source'],
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
export type UploadState = 'receiving' | 'checking' | 'checked' | 'running' | 'ended'

export type ParsedPriceWire = {
  device_id: string
  variant_id: string | null
  configuration: string
  grade: string
  side: string
  /** US cents. */
  cents: number
  day: string
}

/** A row as it came, and what was made of it or why it is refused. */
export type PreviewRowWire = { line: number; came: string; read: ParsedPriceWire | null; problem: string | null }

/** What the columns of a price list were taken for, and some of its rows. */
export type PricePreviewWire = {
  columns: { name: string; read_as: string | null; examples: string[] }[]
  implied: { currency?: string; side?: string }
  rows: PreviewRowWire[]
  refused: { reason: string; rows: PreviewRowWire[] }[]
  unknown_conditions: { word: string; rows: number }[]
}

export type UploadPreviewWire = {
  /** `rows` read, `rejected`, and what they would come to. */
  figures: Record<string, number>
  rejected_by: Record<string, number>
  remarks: Record<string, number>
  /** Models that the registry does not know, most frequent first. */
  unknown: { name: string; count: number }[]
  /** Variants that would be added. */
  added: { variant_id: string; rows: number }[]
  /** What the importer says of the list. */
  notes: string[]
  prices: PricePreviewWire | null
}

export type UploadWire = {
  id: string
  format: UploadFormat
  file: string
  bytes: number
  received: number
  state: UploadState
  by: string
  created_at: string
  options: Record<string, string>
  preview: UploadPreviewWire | null
  /** How far it is while it is being checked or imported; the share is in percent, and null where it is not known. */
  progress: { rows: number; percent: number | null; note: string | null }
  failure: string | null
  /** The import that it became. */
  run: ImportRunWire | null
}

export type UploadPageWire = {
  /** Whether the session's organization runs this service; others see what was imported. */
  allowed: boolean
  most_bytes: number
  piece_bytes: number
  /** The upload that this person has not finished with, or that ended last. */
  current: UploadWire | null
  profiles: { name: string; options: Record<string, string> }[]
  currencies: string[]
}
