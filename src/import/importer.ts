/** The interface of an import format: a name, a help text and a run over a source of bytes. */
import type { Actor } from '../auth/actor.ts'
import type { Database } from '../db/database.ts'
import { DomainError } from '../lib/errors.ts'
import { type Reason, reason } from '../lib/reasons.ts'
import type { PricePreview } from './prices/price-preview.ts'
import type { PriceTerm } from './prices/price-terms.ts'
import type { Progress } from './progress-service.ts'
import type { ByteSource } from './read/byte-source-service.ts'
import type { RowReport } from './row-report-service.ts'

/** A sentence, and what it says as a code if people on pages should read it in their language. */
export type Notify = (sentence: string, why?: Reason) => void

/** How a price list was read. */
export type ImportSummary = {
  /** What each column was taken for; null for one that is not used. */
  readonly columns: readonly { readonly name: string; readonly field: string | null }[]
  /** What holds for all rows, and by which evidence. */
  readonly terms: readonly PriceTerm[]
}

export type ImportContext = {
  readonly db: Database
  readonly now: () => number
  /** Read, check and count everything, write nothing. */
  readonly dryRun: boolean
  /** The operator confirmed that the list may shrink beyond the guard. */
  readonly acceptShrink: boolean
  /** Further `--name value` pairs of the command line, limited to those in the importer's `options`. */
  readonly options: Readonly<Record<string, string>>
  readonly report: RowReport
  readonly progress: Progress
  /** Whether answers that a file gives in other words are taken without asking. */
  readonly acceptsGuesses?: boolean | undefined
  /** Receives the preview of a dry run. */
  readonly onPreview: (preview: PricePreview) => void
  /** Receives how the list is read, before its first row is written. */
  readonly onSummary?: ((summary: ImportSummary) => void) | undefined
  /** A sentence for the operator, on stderr. */
  readonly notify: Notify
  /** Aborted by Ctrl-C or SIGTERM: finish the current step, announce what was written, and stop. */
  readonly signal: AbortSignal
  /** Who asked for it, as the audit trail names them. */
  readonly actor: Actor
  /** Names of options that come from a profile. */
  readonly profileOptions?: readonly string[] | undefined
  /** The organization whose own prices are imported; empty for the common market. */
  readonly organizationId: string
  /** The market of prices whose rows name none and whose currency says nothing. */
  readonly defaultMarket: string
  readonly runId: string
  /** Opens a second file, such as the groups of a device list. */
  readonly open: (name: string) => Promise<ByteSource>
}

/** Figures of a run in print order, such as `{ rows: 10, devices: 3 }`; `rows` counts the rows read. */
export type ImportResult = { readonly rows: number; readonly [figure: string]: number }

/** Options of every format, with a description of their value. They describe the file, not the list in it. */
export const COMMON_IMPORT_OPTIONS = {
  encoding: 'NAME of the text encoding, such as windows-1250; detected when absent',
  sheet: 'NAME or number of the sheet of a spreadsheet; when absent the first, for prices all with the same columns',
  'max-rejected': 'SHARE of rows such as 20%; a file with more rejected rows is not imported at all',
} as const

export type Importer = {
  /** One lower-case word or `word-word`. */
  readonly format: string
  /** One sentence that describes the file. */
  readonly help: string
  /** Its options besides `--dry-run` and `--accept-shrink`, with a description of their value. */
  readonly options?: Readonly<Record<string, string>>
  /** Options without a value, with a description; if set, `options` contains `yes`. */
  readonly flags?: Readonly<Record<string, string>>
  /** Data that it reads and then rewrites. Imports with the same target run one after the other. */
  readonly exclusiveTarget?: 'catalogue' | 'lists'
  /** Whether a list without entries is valid; otherwise it is rejected. */
  readonly allowsEmpty?: true
  /** Whether an archive of several files is one list; `run` then reads `source.members`. */
  readonly takesSeveralFiles?: true
  readonly run: (source: ByteSource, context: ImportContext) => Promise<ImportResult>
}

/** The error of an interrupted run; everything written so far is complete, announced and safe to import again. */
export function importStopped(done: number, total: number | null, unit: string): DomainError {
  const format = (count: number) => count.toLocaleString('en')
  const share = total === null ? format(done) : `${format(done)} of ${format(total)}`
  return new DomainError(
    'unavailable',
    `Stopped after ${share} ${unit}; import the same again to finish.`,
    reason('import_stopped'),
  )
}

/** The same for a run that writes everything at the end. */
export function importStoppedBeforeWriting(): DomainError {
  return new DomainError('unavailable', 'Stopped; nothing was written.', reason('import_stopped_unwritten'))
}
