import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServiceSettingsWire } from '../../../src/contract/service-settings.ts'
import { callApi } from '../../api.ts'
import { failureText } from '../../error-text.ts'
import { formatTime } from '../../format.ts'
import { useApiMutation, usePolling } from '../../queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Card } from '../../ui/page.tsx'
import { EmptyState, ErrorMessage } from '../../ui/states.tsx'
import { feedBody } from '../imports/feed-body.ts'
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

/** Lists that the service fetches and imports by itself. */
export function FeedsCard({
  feeds: allFeeds,
  formats,
  refetch,
}: {
  feeds: readonly Feed[]
  formats: ServiceSettingsWire['feed_formats']
  refetch: () => unknown
}) {
  const { t } = useTranslation(['service-settings', 'imports', 'common'])
  // Marketplaces are on the page of imports.
  const feeds = allFeeds.filter(({ template }) => template === null)
  const [edited, setEdited] = useState<Feed | 'new' | null>(null)
  const [removed, setRemoved] = useState<Feed | null>(null)
  const [started, setStarted] = useState<ReadonlySet<string>>(new Set())
  const changing = useApiMutation()
  const isRunning = feeds.some(
    (feed) => feed.outcome === 'unfinished' || started.has(`${feed.name} ${feed.last_run_at}`),
  )
  usePolling(isRunning, refetch)
  function run(feed: Feed) {
    setStarted(new Set([...started, `${feed.name} ${feed.last_run_at}`]))
    changing.mutate(() => callApi('POST /api/manage/service/feeds/{name}/run', { params: { name: feed.name } }))
  }
  const pause = (feed: Feed) => {
    const body = { ...feedBody(feed), is_paused: !feed.is_paused }
    changing.mutate(() => callApi('PUT /api/manage/service/feeds/{name}', { params: { name: feed.name }, body }))
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
      <ErrorMessage error={changing.error} />
      {feeds.length === 0 ? (
        <EmptyState title={t('feeds.none')} hint={t('feeds.noneHint')} />
      ) : (
        <DataTable
          label={t('imports:feeds.title')}
          rows={feeds}
          rowKey={(feed) => feed.name}
          columns={[
            {
              title: t('imports:column.feed'),
              cell: ({ name, format, address }) => (
                <>
                  <strong>{name}</strong> <span className="muted">{listKind(format)}</span>
                  <br />
                  <span className="muted breakable">{address}</span>
                </>
              ),
            },
            { title: t('imports:column.lastRun'), cell: (feed) => <LastRun feed={feed} /> },
            {
              title: t('imports:column.nextRun'),
              cell: ({ is_paused: isPaused, next_run_at: at }) => {
                if (isPaused) return <Badge tone="warn">{t('feeds.paused')}</Badge>
                return at ? formatTime(at) : t('imports:feeds.manual')
              },
            },
          ]}
          actions={(feed) => (
            <div className="row-actions-wrap">
              <Button disabled={changing.isPending || feed.outcome === 'unfinished'} onClick={() => run(feed)}>
                {t('feeds.run')}
              </Button>
              <Button disabled={changing.isPending} onClick={() => pause(feed)}>
                {feed.is_paused ? t('feeds.resume') : t('feeds.pause')}
              </Button>
              <Button onClick={() => setEdited(feed)}>{t('edit')}</Button>
              <Button variant="danger" onClick={() => setRemoved(feed)}>
                {t('common:action.remove')}
              </Button>
            </div>
          )}
        />
      )}
    </Card>
  )
}

function LastRun({ feed: { outcome, last_run_at: at, failure, failure_reason: why } }: { feed: Feed }) {
  const { t } = useTranslation(['service-settings', 'imports'])
  return (
    <>
      {outcome ? (
        <Badge tone={TONES[outcome]}>{outcome === 'unfinished' ? t('running') : t(`imports:state.${outcome}`)}</Badge>
      ) : (
        <span className="muted">{t('imports:feeds.notRun')}</span>
      )}{' '}
      {at ? formatTime(at) : null}
      {outcome === 'failed' && failure ? <p className="field-error">{failureText(failure, why)}</p> : null}
    </>
  )
}
