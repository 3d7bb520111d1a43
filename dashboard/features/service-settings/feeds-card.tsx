import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServiceSettingsWire } from '../../../src/contract/service-settings.ts'
import { apiPost } from '../../api.ts'
import type { PostBody } from '../../endpoint-types.ts'
import { formatTime } from '../../format.ts'
import { useApiMutation } from '../../queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState, ErrorMessage } from '../../ui/states.tsx'
import { listKind } from '../imports/upload-labels.ts'
import { FeedDialog } from './feed-dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'

type Feed = ServiceSettingsWire['feeds'][number]

const TONES: Readonly<Record<NonNullable<Feed['outcome']>, Tone>> = {
  imported: 'good',
  unchanged: 'good',
  failed: 'bad',
  stopped: 'warn',
  unfinished: 'blue',
}
const POLL_MS = 2_000

/** Lists that the service fetches and imports by itself. */
export function FeedsCard({
  feeds,
  formats,
  refetch,
}: {
  feeds: readonly Feed[]
  formats: ServiceSettingsWire['feed_formats']
  refetch: () => unknown
}) {
  const { t } = useTranslation(['service-settings', 'imports', 'common'])
  const [edited, setEdited] = useState<Feed | 'new' | null>(null)
  const [removed, setRemoved] = useState<Feed | null>(null)
  const [started, setStarted] = useState<ReadonlySet<string>>(new Set())
  const changing = useApiMutation()
  const change = <P extends `/account/service/feeds/${'pause' | 'run'}`>(path: P, body: PostBody<P>) =>
    changing.mutate(() => apiPost(path, body))
  const isRunning = feeds.some(
    (feed) => feed.outcome === 'unfinished' || started.has(`${feed.name} ${feed.last_run_at}`),
  )
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(refetch, POLL_MS)
    return () => clearInterval(timer)
  }, [isRunning, refetch])
  function run(feed: Feed) {
    setStarted(new Set([...started, `${feed.name} ${feed.last_run_at}`]))
    change('/account/service/feeds/run', { name: feed.name })
  }
  const column = {
    feed: t('imports:column.feed'),
    lastRun: t('imports:column.lastRun'),
    nextRun: t('imports:column.nextRun'),
  }
  return (
    <Card
      title={t('imports:feeds.title')}
      note={t('feeds.note')}
      action={<Button onClick={() => setEdited('new')}>{t('feeds.add')}</Button>}
    >
      {edited ? (
        <FeedDialog feed={edited === 'new' ? null : edited} formats={formats} close={() => setEdited(null)} />
      ) : null}
      {removed ? <RemoveDialog kind="feeds" name={removed.name} close={() => setRemoved(null)} /> : null}
      {changing.error ? <ErrorMessage error={changing.error} /> : null}
      {feeds.length === 0 ? (
        <EmptyState title={t('feeds.none')} hint={t('feeds.noneHint')} />
      ) : (
        <DataTable label={t('imports:feeds.title')} head={[column.feed, column.lastRun, column.nextRun]} hasActions>
          {feeds.map((feed) => (
            <tr key={feed.name}>
              <td data-label={column.feed}>
                <strong>{feed.name}</strong> <span className="muted">{listKind(feed.format)}</span>
                <br />
                <span className="muted breakable">{feed.address}</span>
              </td>
              <td data-label={column.lastRun}>
                {feed.outcome ? (
                  <Badge tone={TONES[feed.outcome]}>
                    {feed.outcome === 'unfinished' ? t('running') : t(`imports:state.${feed.outcome}`)}
                  </Badge>
                ) : (
                  <span className="muted">{t('imports:feeds.notRun')}</span>
                )}{' '}
                {feed.last_run_at ? formatTime(feed.last_run_at) : null}
                {feed.outcome === 'failed' && feed.failure ? <p className="field-error">{feed.failure}</p> : null}
              </td>
              <td data-label={column.nextRun}>
                {feed.is_paused ? (
                  <Badge tone="warn">{t('feeds.paused')}</Badge>
                ) : feed.next_run_at ? (
                  formatTime(feed.next_run_at)
                ) : (
                  t('imports:feeds.manual')
                )}
              </td>
              <td>
                <div className="row-actions row-actions-wrap">
                  <Button disabled={changing.isPending || feed.outcome === 'unfinished'} onClick={() => run(feed)}>
                    {t('feeds.run')}
                  </Button>
                  {feed.origin === 'page' ? (
                    <>
                      <Button
                        disabled={changing.isPending}
                        onClick={() =>
                          change('/account/service/feeds/pause', { name: feed.name, is_paused: !feed.is_paused })
                        }
                      >
                        {feed.is_paused ? t('feeds.resume') : t('feeds.pause')}
                      </Button>
                      <Button onClick={() => setEdited(feed)}>{t('edit')}</Button>
                      <Button variant="danger" onClick={() => setRemoved(feed)}>
                        {t('common:action.remove')}
                      </Button>
                    </>
                  ) : (
                    <span className="muted">{t('fromFile', { variable: 'FEEDS_FILE' })}</span>
                  )}
                </div>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </Card>
  )
}
