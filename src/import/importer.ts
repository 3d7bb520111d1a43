/** The interface of an import format: a name, a help text and a run over a source of bytes. */
import type { Actor } from '../auth/actor.ts'
import type { Database } from '../db/database.ts'
import { DomainError } from '../lib/errors.ts'
import type { PricePreview } from './prices/price-preview.ts'
import type { Progress } from './progress-service.ts'
import type { ByteSource } from './read/byte-source-service.ts'
import type { RowReport } from './row-report-service.ts'

export type ImportContext = {
  readonly db: Database
  readonly now: () => number
  /** Read, check and count everything, write nothing. */
  readonly dryRun: boolean
  /** The operator confirmed that the list may shrink beyond the guard. */
  readonly acceptShrink: boolean
  /** Further `--name value` pairs of the command line; only those the importer lists in `options` get through. */
  readonly options: Readonly<Record<string, string>>
  readonly report: RowReport
  readonly progress: Progress
  /** What a dry run found, to be looked over before the list is imported. */
  readonly onPreview: (preview: PricePreview) => void
  /** A sentence for the operator, on stderr. */
  readonly notify: (sentence: string) => void
  /** Aborted by Ctrl-C or SIGTERM: finish the step at hand, announce what is in, and stop. */
  readonly signal: AbortSignal
  /** Who asked for it, as the audit trail names them. */
  readonly actor: Actor
  /** The organization whose own prices are imported; empty for the common market. */
  readonly organizationId: string
  /** The market of prices whose rows name none and whose currency says nothing. */
  readonly defaultMarket: string
  /** Names this run in the store. */
  readonly runId: string
  /** Opens a second file, such as the groups that go with a device list. */
  readonly open: (name: string) => Promise<ByteSource>
}

/** Figures of a run in the order they are printed, such as `{ rows: 10, devices: 3 }`; `rows` is what was read. */
export type ImportResult = { readonly rows: number; readonly [figure: string]: number }

/** Options that every format takes, each with its value. They are about the file, not about the list in it. */
export const COMMON_IMPORT_OPTIONS = {
  encoding: 'NAME of the text encoding, such as windows-1250; detected when absent',
  sheet: 'NAME or number of the sheet of a spreadsheet; the first when absent',
  'max-rejected': 'SHARE of rows such as 20%; a file with more rejected rows is not imported at all',
} as const

export type Importer = {
  /** One lower-case word or `word-word`. */
  readonly format: string
  /** One sentence: what file this takes. */
  readonly help: string
  /** Names of the options it understands beside `--dry-run` and `--accept-shrink`, each with what its value is. */
  readonly options?: Readonly<Record<string, string>>
  /** Names of options without a value, each with what it says; given, it stands in `options` as `yes`. */
  readonly flags?: Readonly<Record<string, string>>
  /** What it reads first and then rewrites. Imports of the same are run one after the other; others may run beside it. */
  readonly exclusiveTarget?: 'catalogue' | 'lists'
  /** Whether a list without a single entry says something: that nothing is on it. Else such a file is no list at all. */
  readonly allowsEmpty?: true
  /** Whether an archive of several files is one list; `run` then reads `source.members`. */
  readonly takesSeveralFiles?: true
  readonly run: (source: ByteSource, context: ImportContext) => Promise<ImportResult>
}

/** What an interrupted run ends with; everything written so far is complete, announced and safe to import again. */
export function importStopped(done: number, total: number | null, unit: string): DomainError {
  const format = (count: number) => count.toLocaleString('en')
  const share = total === null ? format(done) : `${format(done)} of ${format(total)}`
  return new DomainError('unavailable', `Stopped after ${share} ${unit}; import the same again to finish.`)
}

/** The same for a run that writes all of it at the end. */
export function importStoppedBeforeWriting(): DomainError {
  return new DomainError('unavailable', 'Stopped; nothing was written.')
}
