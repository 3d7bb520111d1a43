import { join } from 'node:path'
import { authStore } from '../auth/auth-store.ts'
import { type ImportOutcome, runImport } from '../import/import-run-service.ts'
import { COMMON_IMPORT_OPTIONS, type Importer } from '../import/importer.ts'
import { findImporter, IMPORTERS } from '../import/importers.ts'
import { formatPreview } from '../import/prices/price-preview.ts'
import { openByteSource } from '../import/read/byte-source-service.ts'
import { presentPreview, presentReport } from '../import/uploads/present-preview.ts'
import { closestWord } from '../lib/edit-distance.ts'
import { DomainError, unknownId } from '../lib/errors.ts'
import { formatTextTable } from '../lib/text-table.ts'
import { type Command, type CommandContext, parseArguments } from './command.ts'
import { CommandError, toCommandError } from './command-error.ts'
import { currentCommandLineActor } from './current-actor.ts'

const USAGE = 'import FORMAT FILE [--dry-run] [--accept-shrink] [--organization ORG_ID] [--json]'

/** Names of what the registry does not know: a few for a person; a program gets more. */
const MAX_LISTED = 15

const OPTIONS = Object.fromEntries(
  [{ options: COMMON_IMPORT_OPTIONS, flags: {} }, ...IMPORTERS].flatMap(({ options, flags }) => [
    ...Object.keys(options ?? {}).map((name) => [name, { type: 'string' as const }] as const),
    ...Object.keys(flags ?? {}).map((name) => [name, { type: 'boolean' as const }] as const),
  ]),
)
const COMMON_OPTIONS: ReadonlySet<string> = new Set(['dry-run', 'accept-shrink', 'organization', 'json'])

export const importCommand: Command = {
  name: 'import',
  usage: 'FORMAT FILE [--dry-run] [--accept-shrink] [--organization ORG_ID] [--json]',
  choices: IMPORTERS.map(({ format }) => format),
  help: 'Load a list into the registry, the TAC facts, the identifier lists, the market or the repairs; - reads stdin.',
  details: [
    '  --dry-run        read and check everything, write nothing',
    '  --accept-shrink  import an identifier list although it is much smaller than the one it replaces',
    '  --organization   prices become those of this organization alone instead of the common market',
    '  --json           print the figures as JSON',
    ...Object.entries(COMMON_IMPORT_OPTIONS).map(([name, value]) => `  --${name} ${value}`),
    '',
    ...IMPORTERS.flatMap(describeImporter),
    '',
    'Examples:',
    '  import catalogue supported_devices.csv',
    '  import lists stolen.csv --list police --dry-run',
  ].join('\n'),
  async run(args, context) {
    const { values, positionals } = parseArguments(
      args,
      {
        'dry-run': { type: 'boolean' },
        'accept-shrink': { type: 'boolean' },
        organization: { type: 'string' },
        json: { type: 'boolean' },
        ...OPTIONS,
      },
      { least: 2, most: 2, usage: USAGE },
    )
    const [format = '', file = ''] = positionals
    const importer = findImporter(format)
    if (!importer) {
      const formats = IMPORTERS.map((one) => one.format)
      const closest = closestWord(format, formats)
      const hint = closest ? ` Did you mean "${closest}"?` : ''
      throw new CommandError(`There is no import format "${format}"; the formats are: ${formats.join(', ')}.${hint}`, 2)
    }
    const flags = values as Record<string, string | boolean | undefined>
    const options = optionsOf(importer, flags)
    const source = await openByteSource(file)
    const db = await context.openOrCreateDatabase()
    const dryRun = flags['dry-run'] === true
    const stop = abortOnSignal()
    try {
      const imported = await runImport({
        ...{
          importer,
          source,
          db,
          label: file,
          options,
          dryRun,
          acceptShrink: flags['accept-shrink'] === true,
          actor: currentCommandLineActor(),
          ...(await scopeOf(context, flags.organization)),
        },
        reportsFolder: join(context.config.dataDir, 'reports'),
        now: context.now,
        notify: context.report,
        signal: stop.signal,
      })
      printImportResult(context, imported, flags.json === true, dryRun)
      return 0
    } catch (error) {
      throw error instanceof DomainError
        ? toCommandError(error, Object.keys({ ...COMMON_IMPORT_OPTIONS, ...importer.options }))
        : error
    } finally {
      stop.end()
    }
  },
}

/** Imports of the command line are the operator's, and so common, unless an organization is named. */
async function scopeOf({ config, openOrCreateDatabase }: CommandContext, organization: string | boolean | undefined) {
  if (typeof organization !== 'string') return { defaultMarket: config.market }
  const access = authStore(await openOrCreateDatabase())
  if ((await access.organizationName(organization)) === null) throw unknownId('organization', organization)
  return {
    organizationId: organization,
    defaultMarket: (await access.organizationMarket(organization)) ?? config.market,
  }
}

function describeImporter({ format, help, options, flags }: Importer): string[] {
  const named = Object.entries({ ...options, ...flags }).map(([name, value]) => `      --${name} ${value}`)
  return [`  ${format.padEnd(12)} ${help}`, ...named]
}

function optionsOf(importer: Importer, values: Record<string, string | boolean | undefined>): Record<string, string> {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || COMMON_OPTIONS.has(name)) continue
    if (!Object.hasOwn({ ...COMMON_IMPORT_OPTIONS, ...importer.options, ...importer.flags }, name)) {
      throw new CommandError(`--${name} is not an option of the format ${importer.format}. Usage: ${USAGE}`, 2)
    }
    given[name] = typeof value === 'string' ? value : 'yes'
  }
  return given
}

/** The first Ctrl-C finishes the step at hand and stops cleanly, the second ends the program at once. */
export function abortOnSignal(): { signal: AbortSignal; end: () => void } {
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

export function printImportResult(
  context: CommandContext,
  { figures, report, preview }: ImportOutcome,
  json: boolean,
  dryRun: boolean,
): void {
  const rejectedBy = report.rejectedBy()
  const remarks = report.remarks()
  const added = report.additions()
  if (json) {
    const { unknown, added: variants, ...rows } = presentReport(report)
    context.print(
      JSON.stringify({
        dry_run: dryRun,
        ...figures,
        ...rows,
        ...(variants.length > 0 ? { added: variants } : {}),
        ...(unknown.length > 0 ? { unknown } : {}),
        ...(preview ? { preview: presentPreview(preview) } : {}),
        report: report.file(),
      }),
    )
    return
  }
  if (preview) context.report(formatPreview(preview))
  const number = (value: number) => value.toLocaleString('en')
  const rows = [
    ...Object.entries(figures).map(([name, value]) => [name.replaceAll('_', ' '), number(value)]),
    ...Object.entries(rejectedBy).map(([reason, count]) => [`  rejected: ${reason}`, number(count)]),
    ...Object.entries(remarks).map(([reason, count]) => [`  remark: ${reason}`, number(count)]),
  ]
  const unknown = report.unknownCounts().slice(0, MAX_LISTED)
  if (unknown.length > 0) {
    const names = unknown.map(([name, count]) => [name, number(count)])
    context.report(`Not in the registry, most frequent first:\n${formatTextTable(['NAMED', 'ROWS'], names)}`)
  }
  if (added.length > 0) {
    const variants = added.map(([id, count]) => [id, number(count)])
    context.report(formatTextTable([dryRun ? 'WOULD BE ADDED' : 'ADDED', 'ROWS'], variants))
  }
  context.print(formatTextTable(['WHAT', dryRun ? 'WOULD BE' : 'COUNT'], rows))
  if (report.file()) context.report(`Every rejected row is in ${report.file()}`)
}
