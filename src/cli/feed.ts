import { listFeedOverviews, loadFeeds } from '../app/feeds.ts'
import { feedActor } from '../auth/actor.ts'
import { ConfigError } from '../config.ts'
import { FEED_PRESETS, isFeedPreset } from '../import/feeds/feed-presets.ts'
import { type FeedRunResult, runFeed } from '../import/feeds/feed-run-service.ts'
import { type FeedSettings, presetFeed } from '../import/feeds/feed-settings.ts'
import { findImporter, IMPORTERS } from '../import/importers.ts'
import { DomainError } from '../lib/errors.ts'
import { type Command, type CommandContext, parseArguments } from './command.ts'
import { CommandError, toCommandError } from './command-error.ts'
import { currentCommandLineActor } from './current-actor.ts'
import { feedTable } from './feed-table.ts'
import { abortOnSignal, printImportResult } from './import.ts'
import { presentFeed } from './present.ts'

const NO_FILE = 'FEEDS_FILE is not set; it names the file that describes feeds.'

export const feedList: Command = {
  name: 'feed list',
  usage: '[--json]',
  help: 'List the feeds of FEEDS_FILE with their last run, their next and why they failed last.',
  async run(args, context) {
    const { values } = parseArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 0, most: 0, usage: 'feed list [--json]' },
    )
    const { feedsFile } = context.config
    if (feedsFile === '') throw new CommandError(NO_FILE)
    const { feeds, errors: mistakes } = await loadFeeds(feedsFile, context.environment)
    for (const mistake of mistakes) context.report(mistake)
    const overview = await listFeedOverviews(await context.openExistingDatabase(), feeds)
    if (values.json) context.print(JSON.stringify(overview.map(presentFeed)))
    else context.print(feedTable(overview))
    return 0
  },
}

const RUN_USAGE = 'feed run NAME | --preset NAME [--dry-run] [--force] [--accept-shrink] [--json]'

export const feedRun: Command = {
  name: 'feed run',
  usage: 'NAME | --preset NAME [--dry-run] [--force] [--accept-shrink] [--json]',
  help: 'Fetch and import a feed of FEEDS_FILE now, or a preset that needs no file.',
  details: [
    '  --preset ecb     exchange rates of the European Central Bank, from ECB_RATES_URL',
    '  --dry-run        fetch, read and check everything, write nothing',
    '  --force          import it even if it did not change',
    '  --accept-shrink  import an identifier list although it is much smaller than the one it replaces',
    '  --scheduled      as the service starts it: leave it to the process that is running it already',
    '  --json           print the figures as JSON',
  ].join('\n'),
  async run(args, context) {
    const flag = { type: 'boolean' as const }
    const { values, positionals } = parseArguments(
      args,
      { preset: { type: 'string' }, 'dry-run': flag, force: flag, 'accept-shrink': flag, scheduled: flag, json: flag },
      { least: 0, most: 1, usage: RUN_USAGE },
    )
    if ((values.preset === undefined) === (positionals[0] === undefined))
      throw new CommandError(`Usage: ${RUN_USAGE}`, 2)
    const { dataDir, market: defaultMarket } = context.config
    const feed =
      values.preset === undefined
        ? await feedByName(positionals[0] ?? '', context)
        : feedOfPreset(values.preset, context)
    const { name } = feed
    const importer = findImporter(feed.format)
    if (!importer) throw new Error(`no importer for ${feed.format}`)
    const db = await context.openOrCreateDatabase()
    const dryRun = values['dry-run'] === true
    const stop = abortOnSignal()
    try {
      const run = await runFeed({
        ...{ feed, importer, db, dataDir, defaultMarket, dryRun, signal: stop.signal },
        actor: values.scheduled ? feedActor(name) : currentCommandLineActor(),
        force: values.force === true,
        acceptShrink: values['accept-shrink'] === true,
        scheduled: values.scheduled === true,
        now: context.now,
        notify: context.report,
      })
      printFeedRun(context, name, run, { json: values.json === true, dryRun })
      return 0
    } catch (error) {
      throw error instanceof DomainError ? toCommandError(error) : error
    } finally {
      stop.end()
    }
  },
}

async function feedByName(name: string, { config, environment }: CommandContext): Promise<FeedSettings> {
  if (config.feedsFile === '') throw new CommandError(NO_FILE)
  const { feeds, errors } = await loadFeeds(config.feedsFile, environment)
  if (errors.length > 0) throw new ConfigError(errors)
  const feed = feeds.find((each) => each.name === name)
  if (feed) return feed
  throw new CommandError(`There is no feed "${name}"; the feeds are: ${feeds.map((each) => each.name).join(', ')}.`)
}

function feedOfPreset(preset: string, { config, environment, now }: CommandContext): FeedSettings {
  if (!isFeedPreset(preset)) {
    throw new CommandError(
      `There is no preset "${preset}"; the presets are: ${Object.keys(FEED_PRESETS).join(', ')}.`,
      2,
    )
  }
  return presetFeed(preset, config.ecbRatesUrl, { formats: IMPORTERS, environment, now: now() })
}

function printFeedRun(
  context: CommandContext,
  feed: string,
  run: FeedRunResult,
  { json, dryRun }: { json: boolean; dryRun: boolean },
): void {
  if (run.outcome !== 'imported') {
    if (json) context.print(JSON.stringify({ feed, outcome: run.outcome }))
    else context.print(OUTCOME_MESSAGES[run.outcome])
    return
  }
  const { figures, report } = run.result
  if (!json) {
    printImportResult(context, run.result, false, dryRun)
    return
  }
  const facts = { feed, outcome: run.outcome, dry_run: dryRun, ...figures, rejected_by: report.rejectedBy() }
  context.print(JSON.stringify({ ...facts, remarks: report.remarks(), report: report.file() }))
}

const OUTCOME_MESSAGES = {
  unchanged: 'Unchanged since the last import.',
  elsewhere: 'Another process is running it.',
} as const
