import { effectiveFeeds } from '../app/feeds.ts'
import { type FeedRunResult, runFeed, runFeedAsJob } from '../import/feeds/feed-run-service.ts'
import type { FeedSettings } from '../import/feeds/feed-settings.ts'
import { findImporter } from '../import/importers.ts'
import { type CommandContext, type CommandOutput, command, flag, text } from './command.ts'
import { CommandError } from './command-error.ts'
import { abortOnSignal, formatImportResult } from './import.ts'
import { defaultMarketOf, storedSettings } from './stored-settings.ts'

const NO_FEEDS = 'There are no feeds. Add one in the service settings of the dashboard.'

/** Runs a feed in this process, as a job of its own. */
export const importFeed = command({
  name: 'import feed',
  isFormOfAnother: true,
  help: 'Fetch and import a feed now.',
  arguments: { name: text('NAME') },
  options: {
    'dry-run': flag('fetch, read and check everything, write nothing'),
    force: flag('import it even if it did not change'),
    'accept-shrink': flag('import an identifier list although it is much smaller than the one it replaces'),
  },
  json: true,
  async run({ name, force, json, ...flags }, context) {
    const { dataDir } = context.config
    const feed = await feedByName(name, context)
    const importer = findImporter(feed.format)
    if (!importer) throw new Error(`no importer for ${feed.format}`)
    const db = await context.openOrCreateDatabase()
    const defaultMarket = await defaultMarketOf(db, context)
    const dryRun = flags['dry-run']
    const abort = abortOnSignal()
    try {
      const request = {
        feed,
        importer,
        db,
        dataDir,
        allowPrivateAddresses: context.config.webhookAllowPrivate,
        defaultMarket,
        force,
        signal: abort.signal,
        actor: context.actor,
        acceptShrink: flags['accept-shrink'],
        now: context.now,
        notify: context.report,
      }
      const result = dryRun ? await runFeed({ ...request, jobId: null }) : await runFeedAsJob(request)
      return formatFeedRun(context, feed.name, result, { json, dryRun })
    } finally {
      abort.end()
    }
  },
})

async function feedByName(name: string, context: CommandContext): Promise<FeedSettings> {
  const feeds = effectiveFeeds(await storedSettings(await context.openExistingDatabase(), context))
  const feed = feeds.find((each) => each.name === name)
  if (feed) return feed
  if (feeds.length === 0) throw new CommandError(NO_FEEDS)
  throw new CommandError(`There is no feed "${name}"; the feeds are: ${feeds.map((each) => each.name).join(', ')}.`)
}

function formatFeedRun(
  context: CommandContext,
  feed: string,
  run: FeedRunResult,
  { json, dryRun }: { json: boolean; dryRun: boolean },
): CommandOutput {
  const { outcome } = run
  if (outcome !== 'imported') return { text: 'Unchanged since the last import.', json: { feed, outcome } }
  if (!json) return formatImportResult(context, run.result, { json, dryRun })
  const { counts, report } = run.result
  const rows = { rejected_by: report.rejectedBy(), remarks: report.remarks(), report: report.file() }
  return { json: { feed, outcome, dry_run: dryRun, ...counts, ...rows } }
}
