import { join } from 'node:path'
import { authStore } from '../auth/auth-store.ts'
import { type ImportOutcome, runImport } from '../import/import-run-service.ts'
import { COMMON_IMPORT_OPTIONS, type Importer, type ImportSummary } from '../import/importer.ts'
import { findImporter, IMPORTERS } from '../import/importers.ts'
import { formatPreview } from '../import/prices/price-preview.ts'
import { openQuestions } from '../import/prices/price-questions.ts'
import { EVIDENCE_TEXTS } from '../import/prices/price-terms.ts'
import { openByteSource } from '../import/read/byte-source-service.ts'
import { presentPreview, presentReport } from '../import/uploads/present-preview.ts'
import { DomainError, unknownId } from '../lib/errors.ts'
import { englishRejection, englishRemark } from '../lib/rejection-texts.ts'
import { fixOf, type RejectionFix } from '../lib/rejections.ts'
import { formatTextTable } from '../lib/text-table.ts'
import {
  type CommandContext,
  type CommandOption,
  type CommandOutput,
  choice,
  command,
  flag,
  optional,
  text,
} from './command.ts'
import { CommandError, toCommandError } from './command-error.ts'
import { defaultMarketOf } from './stored-settings.ts'

/** Unknown names that are shown to a person; the JSON holds more. */
const MAX_LISTED = 15

/** The options of all formats. Which of them a format takes is checked once the format is known. */
const FORMAT_OPTIONS: Readonly<Record<string, CommandOption<string | undefined>>> = Object.fromEntries(
  [{ options: COMMON_IMPORT_OPTIONS, flags: {} }, ...IMPORTERS].flatMap(({ options, flags }) => [
    ...Object.keys(options ?? {}).map((name) => [name, optional(text('VALUE'))] as const),
    ...Object.keys(flags ?? {}).map((name) => [name, { isOptional: true, parse: () => 'yes' }] as const),
  ]),
)

export const importCommand = command({
  name: 'import',
  help: 'Import a file: device catalogue, TACs, identifier lists, prices, exchange rates or repairs ("-" reads stdin). Or fetch and import a feed.',
  usage:
    'FORMAT FILE | feed NAME [--dry-run] [--accept-shrink] [--organization ORG_ID] [--json] [options of the format]',
  arguments: {
    format: choice(
      IMPORTERS.map(({ format }) => format),
      undefined,
      'FORMAT',
    ),
    file: text('FILE'),
  },
  options: {
    'dry-run': flag('read and check everything, write nothing'),
    'accept-shrink': flag('import an identifier list although it is much smaller than the one it replaces'),
    organization: optional(text('ORG_ID', 'import prices for this organization only instead of the common market')),
    ...FORMAT_OPTIONS,
  },
  json: true,
  notes: [
    ...Object.entries(COMMON_IMPORT_OPTIONS).map(([name, value]) => `  --${name} ${value}`),
    '',
    ...IMPORTERS.flatMap(describeImporter),
    '',
    'Examples:',
    '  import catalogue devices.csv',
    '  import feed police',
    '  import lists stolen.csv --list police --dry-run',
  ],
  async run({ format, file, json, organization, rest: _, ...flags }, context) {
    const importer = findImporter(format)
    if (!importer) throw new Error(`no importer for ${format}`)
    const { 'dry-run': dryRun, 'accept-shrink': acceptShrink, ...formatOptions } = flags
    const options = optionsOf(importer, formatOptions)
    const source = await openByteSource(file)
    const db = await context.openOrCreateDatabase()
    const abort = abortOnSignal()
    try {
      const outcome = await runImport({
        importer,
        source,
        db,
        label: file,
        options,
        dryRun,
        acceptShrink,
        acceptsGuesses: true,
        actor: context.actor,
        ...(await scopeOf(context, organization)),
        reportsFolder: join(context.config.dataDir, 'reports'),
        now: context.now,
        notify: context.report,
        signal: abort.signal,
      })
      return formatImportResult(context, outcome, { json, dryRun })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const questions = openQuestions(error)
      if (questions.length > 0) throw new CommandError(withOptionNames(error.message, questions), 2, error)
      throw toCommandError(error, Object.keys({ ...COMMON_IMPORT_OPTIONS, ...importer.options }))
    } finally {
      abort.end()
    }
  },
})

/** What to do about rejected rows; nothing for rows that are no prices. */
const FIX_TEXTS: Readonly<Partial<Record<RejectionFix, string>>> = {
  side: 'set --side for empty cells, or map another column with --map side=COLUMN',
  currency: 'set --currency or --market',
  country: 'set --market, or leave the column out with --map country=-',
  date: 'set --date, or map another column with --map date=COLUMN',
  dateOrder: 'set --date-order dmy or mdy',
  condition: 'set --condition GRADE for rows without one',
  term: 'set --condition WORD=GRADE,…',
  range: 'set --range low',
  amount: 'map the column of prices with --map price=COLUMN',
  unit: 'check --currency, or map cents with --map cents=COLUMN',
  rate: 'import exchange rates',
  storage: 'add the sizes with --add-variants',
  move: 'if the prices are right, import them with --confirm-amounts',
  storageColumn: 'map the column of sizes with --map storage=COLUMN',
  source: 'set --source',
  model: 'name models with --assign TITLE=MODEL,…',
  device: 'map the column of titles with --map title=COLUMN',
  state: 'leave the column out with --map state=-',
}

/** "set side (…); condition" as options of this command. */
const withOptionNames = (message: string, names: readonly string[]) =>
  names.reduce((text, name) => text.replace(new RegExp(`((?:: set|;) )(${name})`), '$1--$2'), message)

/** Imports belong to the operator, and so to the common market, unless an organization is named. */
async function scopeOf(context: CommandContext, organizationId: string | undefined) {
  const db = await context.openOrCreateDatabase()
  const defaultMarket = await defaultMarketOf(db, context)
  if (organizationId === undefined) return { defaultMarket }
  const store = authStore(db)
  if ((await store.organizationName(organizationId)) === null) throw unknownId('organization', organizationId)
  return { organizationId, defaultMarket: (await store.organizationMarket(organizationId)) ?? defaultMarket }
}

function describeImporter({ format, help, options, flags }: Importer): string[] {
  const lines = Object.entries({ ...options, ...flags }).map(([name, value]) => `      --${name} ${value}`)
  return [`  ${format.padEnd(12)} ${help}`, ...lines]
}

function optionsOf(importer: Importer, values: Readonly<Record<string, unknown>>): Record<string, string> {
  const allowed = { ...COMMON_IMPORT_OPTIONS, ...importer.options, ...importer.flags }
  const used = Object.entries(values).filter(([, value]) => value !== undefined)
  for (const [name] of used) {
    if (!Object.hasOwn(allowed, name)) {
      throw new CommandError(`--${name} is not an option of the format ${importer.format}.`, 2)
    }
  }
  return Object.fromEntries(used.map(([name, value]) => [name, String(value)]))
}

/** The first Ctrl-C finishes the current step and stops cleanly, the second exits at once. */
export function abortOnSignal(): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {
    signal: controller.signal,
    end: () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}

/** What each column was taken for, and what held for all rows. */
const formatSummary = ({ columns, terms }: ImportSummary) =>
  [
    formatTextTable(
      ['COLUMN', 'READ AS'],
      columns.map(({ name, field }) => [name, field ?? 'not used']),
    ),
    '',
    formatTextTable(
      ['FOR ALL ROWS', 'VALUE', 'BY'],
      terms.map(({ fact, value, by }) => [fact, value ?? 'as each row says', EVIDENCE_TEXTS[by]]),
    ),
  ].join('\n')

/** The result of an import; for a person, details go to stderr. */
export function formatImportResult(
  context: CommandContext,
  { counts, report, preview, summary, runId }: ImportOutcome,
  { json, dryRun }: { json: boolean; dryRun: boolean },
): CommandOutput {
  const { unknown_models: unknownModels, added, ...rows } = presentReport(report)
  if (json) {
    return {
      json: {
        dry_run: dryRun,
        ...counts,
        ...rows,
        ...(added.length > 0 ? { added } : {}),
        ...(unknownModels.length > 0 ? { unknown_models: unknownModels } : {}),
        ...(preview ? { preview: presentPreview(preview) } : {}),
        ...(summary ? { summary: { columns: summary.columns, terms: summary.terms } } : {}),
        ...(dryRun ? {} : { id: runId }),
        report: report.file(),
      },
    }
  }
  if (preview) context.report(formatPreview(preview))
  else if (summary) context.report(formatSummary(summary))
  const formatCounts = (counts: readonly (readonly [string, number])[]) =>
    counts.map(([name, count]) => [name, count.toLocaleString('en')])
  if (unknownModels.length > 0) {
    const counts = unknownModels.slice(0, MAX_LISTED).map(({ name, count }) => [name, count] as const)
    context.report(
      `Not in the catalogue, most frequent first:\n${formatTextTable(['NAME', 'ROWS'], formatCounts(counts))}`,
    )
  }
  if (added.length > 0) {
    const counts = added.map((variant) => [variant.variant_id, variant.rows] as const)
    context.report(formatTextTable([dryRun ? 'WOULD BE ADDED' : 'ADDED', 'ROWS'], formatCounts(counts)))
  }
  for (const [reason, count] of Object.entries(rows.rejected_by)) {
    const fix = fixOf(reason)
    const text = fix && FIX_TEXTS[fix]
    if (text) context.report(`${count.toLocaleString('en')} × ${englishRejection(reason)}: ${text}.`)
  }
  if (!dryRun && summary && (counts.written ?? 0) > 0)
    context.report(`To remove these prices again: import undo ${runId}`)
  const rejectedRows = report.file()
  if (rejectedRows) context.report(`Every rejected row is in ${rejectedRows}`)
  const table = formatCounts([
    ...Object.entries(counts).map(([name, count]) => [name.replaceAll('_', ' '), count] as const),
    ...Object.entries(rows.rejected_by).map(
      ([reason, count]) => [`  rejected: ${englishRejection(reason)}`, count] as const,
    ),
    ...Object.entries(rows.remarks).map(([reason, count]) => [`  remark: ${englishRemark(reason)}`, count] as const),
  ])
  return { text: formatTextTable(['RESULT', dryRun ? 'WOULD BE' : 'COUNT'], table) }
}
