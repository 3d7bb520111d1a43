import type { FeedOverview } from '../import/feeds/feed-overview.ts'
import { formatTextTable } from '../lib/text-table.ts'
import { formatMinute } from '../lib/time.ts'

export function feedTable(feeds: readonly FeedOverview[]): string {
  const rows = feeds.map((feed) => [
    feed.name,
    feed.format,
    feed.cron ?? '-',
    formatTime(feed.startedAt),
    feed.outcome ?? '-',
    formatTime(feed.nextAt),
    feed.failedAt === null ? '-' : `${formatTime(feed.failedAt)}: ${feed.failure ?? ''}`,
  ])
  return formatTextTable(['FEED', 'FORMAT', 'SCHEDULE', 'LAST RUN', 'OUTCOME', 'NEXT RUN', 'LAST FAILURE'], rows)
}

const formatTime = (at: number | null) => (at === null ? '-' : `${formatMinute(at)} UTC`)
