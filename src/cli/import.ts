import { join } from 'node:path'
import { catalogueVersion, devicesOnBoard, tacsOnBoard } from '../catalog/onboard.ts'
import type { Database } from '../db/open.ts'
import { DomainError } from '../errors.ts'
import { sortableId } from '../id.ts'
import { loadOnBoard } from '../import/catalogue/on-board.ts'
import { findImporter, IMPORTERS } from '../import/formats.ts'
import type { ImportContext, Importer, ImportResult } from '../import/importer.ts'
import { openProgress } from '../import/progress.ts'
import { openSource, type Source } from '../import/read/source.ts'
import { openRowReport, type RowReport } from '../import/report.ts'
import { failRun, finishRun, startRun } from '../import/run-store.ts'
import { textTable } from '../text/text-table.ts'
import { type Command, type Context, readArguments } from './command.ts'
import { asCommandError, CommandError } from './command-error.ts'

const USAGE = 'import FORMAT FILE [--dry-run] [--force] [--json]'

const OPTIONS = Object.fromEntries(
  IMPORTERS.flatMap((importer) => Object.keys(importer.options ?? {})).map((name) => [
    name,
    { type: 'string' as const },
  ]),
)

export const importCommand: Command = {
  name: 'import',
  usage: 'FORMAT FILE [--dry-run] [--force] [--json]',
  help: 'Load a list into the registry, the TAC facts, the identifier lists, the market or the repairs; - reads stdin.',
  details: [
    '  --dry-run   read and check everything, write nothing',
    '  --force     go on where a guard would refuse, such as a list that shrank by more than a quarter',
    '  --json      print the figures as JSON',
    '',
    ...IMPORTERS.flatMap(describe),
    '',
    'Examples:',
    '  import catalogue supported_devices.csv',
    '  import lists stolen.csv --list police --dry-run',
  ].join('\n'),
  async run(args, context) {
    const { values, positionals } = readArguments(
      args,
      { 'dry-run': { type: 'boolean' }, force: { type: 'boolean' }, json: { type: 'boolean' }, ...OPTIONS },
      { least: 2, most: 2, usage: USAGE },
    )
    const [format = '', file = ''] = positionals
    const importer = findImporter(format)
    if (!importer) {
      const known = IMPORTERS.map((one) => one.format).join(', ')
      throw new CommandError(`There is no import format "${format}"; the formats are: ${known}.`, 2)
    }
    const flags = values as Record<string, string | boolean | undefined>
    const options = optionsOf(importer, flags)
    const source = await openSource(file)
    const db = await context.openOrMakeStore()
    const dryRun = flags['dry-run'] === true
    const order = {
      importer,
      source,
      db,
      file,
      options,
      dryRun,
      force: flags.force === true,
      json: flags.json === true,
    }
    const work = () => runImport(order, context)
    if (dryRun || !importer.rewrites) return work()
    const waiting = `Another import into the ${importer.rewrites} is running; this one starts when it has ended.`
    return db.alone(`import-${importer.rewrites}`, work, () => context.tell(waiting))
  },
}

type Order = {
  readonly importer: Importer
  readonly source: Source
  readonly db: Database
  readonly file: string
  readonly options: Record<string, string>
  readonly dryRun: boolean
  readonly force: boolean
  readonly json: boolean
}

async function runImport(order: Order, context: Context): Promise<number> {
  const { importer, source, db, file, options, dryRun, force, json } = order
  const progress = openProgress(importer.format, process.stderr)
  const tell = (line: string) => {
    progress.clear()
    context.tell(line)
  }
  const startedAt = context.now()
  const report = openRowReport({ path: reportPath(context, importer, startedAt), show: tell })
  const stop = stopOnSignal()
  const run: ImportContext = {
    db,
    now: context.now,
    dryRun,
    force,
    options,
    report,
    progress,
    note: tell,
    signal: stop.signal,
    runId: sortableId('imp', startedAt),
    open: (name) => openSource(name),
  }
  try {
    if (!dryRun) {
      // Lists are matched against the devices on board, so these come first even before the service ever started.
      await loadOnBoard(db, {
        version: catalogueVersion(),
        devices: devicesOnBoard,
        tacs: tacsOnBoard,
      })
      await startRun(db, { id: run.runId, format: importer.format, file, startedAt })
    }
    const result = await importer.run(source, run)
    const figures = { ...result, rejected: report.rejected() }
    if (!dryRun) await finishRun(db, run.runId, context.now(), { ...figures, rejectedBy: report.rejectedBy() })
    progress.clear()
    show(context, figures, report, json, dryRun)
    return 0
  } catch (error) {
    // Kept for whoever looks later; what is said now is the error itself, even if it cannot be kept.
    const isRefusal = error instanceof DomainError
    const why = isRefusal ? error.message : 'The program failed.'
    if (!dryRun) await failRun(db, run.runId, context.now(), why).catch(() => {})
    throw isRefusal ? asCommandError(error, Object.keys(importer.options ?? {})) : error
  } finally {
    progress.clear()
    report.close()
    stop.end()
  }
}

function describe({ format, help, options }: Importer): string[] {
  const named = Object.entries(options ?? {}).map(([name, value]) => `      --${name} ${value}`)
  return [`  ${format.padEnd(12)} ${help}`, ...named]
}

function optionsOf(importer: Importer, values: Record<string, string | boolean | undefined>): Record<string, string> {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string') continue
    if (!Object.hasOwn(importer.options ?? {}, name)) {
      throw new CommandError(`--${name} is not an option of the format ${importer.format}. Usage: ${USAGE}`, 2)
    }
    given[name] = value
  }
  return given
}

function reportPath(context: Context, importer: Importer, startedAt: number): string {
  const stamp = new Date(startedAt).toISOString().replace(/[-:]/g, '').replace('.', '-')
  return join(context.config.dataDir, 'reports', `import-${importer.format}-${stamp}.csv`)
}

/** The first Ctrl-C finishes the step at hand and stops cleanly, the second ends the program at once. */
function stopOnSignal(): { signal: AbortSignal; end: () => void } {
  const stopping = new AbortController()
  const stop = () => {
    if (stopping.signal.aborted) process.exit(130)
    stopping.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {
    signal: stopping.signal,
    end: () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}

function show(context: Context, figures: ImportResult, report: RowReport, json: boolean, dryRun: boolean): void {
  const rejectedBy = report.rejectedBy()
  const remarks = report.remarks()
  if (json) {
    context.print(
      JSON.stringify({ dry_run: dryRun, ...figures, rejected_by: rejectedBy, remarks, report: report.file() }),
    )
    return
  }
  const number = (value: number) => value.toLocaleString('en')
  const rows = [
    ...Object.entries(figures).map(([name, value]) => [name.replaceAll('_', ' '), number(value)]),
    ...Object.entries(rejectedBy).map(([reason, count]) => [`  rejected: ${reason}`, number(count)]),
    ...Object.entries(remarks).map(([reason, count]) => [`  remark: ${reason}`, number(count)]),
  ]
  context.print(textTable(['WHAT', dryRun ? 'WOULD BE' : 'COUNT'], rows))
  if (report.file()) context.tell(`Every rejected row is in ${report.file()}`)
}
