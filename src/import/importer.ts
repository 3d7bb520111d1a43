/** What every format of `import FORMAT FILE` is: a name, a sentence, and a run over a source of bytes. */
import type { Actor } from '../access/actor.ts'
import type { Database } from '../db/open.ts'
import { DomainError } from '../errors.ts'
import type { PricePreview } from './market/preview.ts'
import type { Progress } from './progress.ts'
import type { Source } from './read/source.ts'
import type { RowReport } from './report.ts'

export type ImportContext = {
  readonly db: Database
  readonly now: () => number
  /** Read, check and count everything, write nothing. */
  readonly dryRun: boolean
  /** Go on where a guard would refuse. */
  readonly force: boolean
  /** Further `--name value` pairs of the command line; only those the importer lists in `options` get through. */
  readonly options: Readonly<Record<string, string>>
  readonly report: RowReport
  readonly progress: Progress
  /** What a dry run found, to be looked over before the list is imported. */
  readonly preview: (found: PricePreview) => void
  /** A sentence for the operator, on stderr. */
  readonly note: (sentence: string) => void
  /** Aborted by Ctrl-C or SIGTERM: finish the step at hand, announce what is in, and stop. */
  readonly signal: AbortSignal
  /** Who asked for it, as the audit trail names them. */
  readonly actor: Actor
  /** Names this run in the store. */
  readonly runId: string
  /** Opens a second file, such as the groups that go with a device list. */
  readonly open: (name: string) => Promise<Source>
}

/** Figures of a run in the order they are printed, such as `{ rows: 10, devices: 3 }`; `rows` is what was read. */
export type ImportResult = { readonly rows: number; readonly [figure: string]: number }

export type Importer = {
  /** One lower-case word or `word-word`. */
  readonly format: string
  /** One sentence: what file this takes. */
  readonly help: string
  /** Names of the options it understands beside `--dry-run` and `--force`, each with what its value is. */
  readonly options?: Readonly<Record<string, string>>
  /** Names of options without a value, each with what it says; given, it stands in `options` as `yes`. */
  readonly flags?: Readonly<Record<string, string>>
  /** What it reads first and then rewrites. Imports of the same are run one after the other; others may run beside it. */
  readonly rewrites?: 'catalogue' | 'lists'
  /** Whether a list without a single entry says something: that nothing is on it. Else such a file is no list at all. */
  readonly mayBeEmpty?: true
  readonly run: (source: Source, context: ImportContext) => Promise<ImportResult>
}

/** What an interrupted run ends with; everything written so far is complete, announced and safe to import again. */
export function stopped(done: number, total: number | null, what: string): DomainError {
  const number = (count: number) => count.toLocaleString('en')
  const share = total === null ? number(done) : `${number(done)} of ${number(total)}`
  return new DomainError('unavailable', `Stopped after ${share} ${what}; import the same again to finish.`)
}

/** The same for a run that writes all of it at the end. */
export function stoppedBeforeWriting(): DomainError {
  return new DomainError('unavailable', 'Stopped; nothing was written.')
}
