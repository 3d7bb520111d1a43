import type { FeedOverview } from '../import/feeds/feed-overview.ts'
import { textTable } from '../text/text-table.ts'
import { minuteOf } from '../time.ts'

export function feedTable(feeds: readonly FeedOverview[]): string {
  const rows = feeds.map((feed) => [
    feed.name,
    feed.format,
    feed.cron ?? '-',
    minute(feed.startedAt),
    feed.outcome ?? '-',
    minute(feed.nextAt),
    feed.failedAt === null ? '-' : `${minute(feed.failedAt)}: ${feed.failure ?? ''}`,
  ])
  return textTable(['FEED', 'FORMAT', 'SCHEDULE', 'LAST RUN', 'OUTCOME', 'NEXT RUN', 'LAST FAILURE'], rows)
}

const minute = (at: number | null) => (at === null ? '-' : `${minuteOf(at)} UTC`)
