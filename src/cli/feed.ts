import { listFeedOverviews, loadFeeds } from '../app/feeds.ts'
import { feedActor } from '../auth/actor.ts'
import { ConfigError } from '../config.ts'
import { FEED_PRESETS, type FeedPreset } from '../import/feeds/feed-presets.ts'
import { type FeedRunResult, runFeed } from '../import/feeds/feed-run-service.ts'
import { type FeedSettings, presetFeed } from '../import/feeds/feed-settings.ts'
import { findImporter, IMPORTERS } from '../import/importers.ts'
import { type CommandContext, type CommandOutput, choice, command, flag, optional, text } from './command.ts'
import { CommandError } from './command-error.ts'
import { abortOnSignal, formatImportResult } from './import.ts'
import { feedTable, presentFeed } from './present.ts'

const NO_FILE = 'FEEDS_FILE is not set. It names the file that describes feeds.'

const feedList = command({
  name: 'feed list',
  help: 'List the feeds of FEEDS_FILE with their last run, next run and last failure.',
  json: true,
  async run(_, { config, environment, report, openExistingDatabase }) {
    if (config.feedsFile === '') throw new CommandError(NO_FILE)
    const { feeds, errors } = await loadFeeds(config.feedsFile, environment)
    for (const error of errors) report(error)
    const overviews = await listFeedOverviews(await openExistingDatabase(), feeds)
    return { json: overviews.map(presentFeed), text: feedTable(overviews) }
  },
})

const feedRun = command({
  name: 'feed run',
  help: 'Fetch and import a feed of FEEDS_FILE now, or a preset that needs no file.',
  arguments: { name: optional(text('NAME')) },
  options: {
    preset: optional(
      choice(
        Object.keys(FEED_PRESETS) as FeedPreset[],
        'ecb: exchange rates of the European Central Bank, from ECB_RATES_URL',
      ),
    ),
    'dry-run': flag('fetch, read and check everything, write nothing'),
    force: flag('import it even if it did not change'),
    'accept-shrink': flag('import an identifier list although it is much smaller than the one it replaces'),
    scheduled: flag('set by the scheduler: skip the run if another process is already running it'),
  },
  json: true,
  async run({ name, preset, force, scheduled, json, ...flags }, context) {
    if ((preset === undefined) === (name === undefined)) throw new CommandError('Give a NAME or a --preset.', 2)
    const { dataDir, market: defaultMarket } = context.config
    const feed = preset === undefined ? await feedByName(name ?? '', context) : feedOfPreset(preset, context)
    const importer = findImporter(feed.format)
    if (!importer) throw new Error(`no importer for ${feed.format}`)
    const db = await context.openOrCreateDatabase()
    const dryRun = flags['dry-run']
    const abort = abortOnSignal()
    try {
      const result = await runFeed({
        ...{ feed, importer, db, dataDir, defaultMarket, dryRun, force, scheduled, signal: abort.signal },
        actor: scheduled ? feedActor(feed.name) : context.actor,
        acceptShrink: flags['accept-shrink'],
        now: context.now,
        notify: context.report,
      })
      return formatFeedRun(context, feed.name, result, { json, dryRun })
    } finally {
      abort.end()
    }
  },
})

export const feedCommands = [feedList, feedRun]

async function feedByName(name: string, { config, environment }: CommandContext): Promise<FeedSettings> {
  if (config.feedsFile === '') throw new CommandError(NO_FILE)
  const { feeds, errors } = await loadFeeds(config.feedsFile, environment)
  if (errors.length > 0) throw new ConfigError(errors)
  const feed = feeds.find((each) => each.name === name)
  if (feed) return feed
  throw new CommandError(`There is no feed "${name}"; the feeds are: ${feeds.map((each) => each.name).join(', ')}.`)
}

function feedOfPreset(preset: FeedPreset, { config, environment, now }: CommandContext): FeedSettings {
  return presetFeed(preset, config.ecbRatesUrl, { formats: IMPORTERS, environment, now: now() })
}

const OUTCOME_MESSAGES = {
  unchanged: 'Unchanged since the last import.',
  elsewhere: 'Another process is running it.',
} as const

function formatFeedRun(
  context: CommandContext,
  feed: string,
  run: FeedRunResult,
  { json, dryRun }: { json: boolean; dryRun: boolean },
): CommandOutput {
  const { outcome } = run
  if (outcome !== 'imported') return { text: OUTCOME_MESSAGES[outcome], json: { feed, outcome } }
  if (!json) return formatImportResult(context, run.result, { json, dryRun })
  const { figures, report } = run.result
  const rows = { rejected_by: report.rejectedBy(), remarks: report.remarks(), report: report.file() }
  return { json: { feed, outcome, dry_run: dryRun, ...figures, ...rows } }
}
