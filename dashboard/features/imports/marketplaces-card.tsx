import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServiceSettingsWire } from '../../../src/contract/service-settings.ts'
import { callApi } from '../../api.ts'
import { failureText } from '../../error-text.ts'
import { formatCount, formatTime } from '../../format.ts'
import { useApiMutation, useOperation, usePolling } from '../../queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Card } from '../../ui/page.tsx'
import { EmptyState, ErrorMessage, QueryView } from '../../ui/states.tsx'
import { feedBody } from './feed-body.ts'
import { MarketplaceDialog } from './marketplace-dialog.tsx'
import { marketplaceName } from './upload-labels.ts'

type Feed = ServiceSettingsWire['feeds'][number]
/** A feed of a price service. */
type PriceSource = Feed & { readonly prices: NonNullable<Feed['prices']> }

const isPriceSource = (feed: Feed): feed is PriceSource => feed.prices !== null

const OUTCOMES: Readonly<Record<NonNullable<Feed['outcome']>, Tone>> = {
  imported: 'good',
  unchanged: 'good',
  failed: 'bad',
  stopped: 'warn',
  unfinished: 'blue',
}

/** Links from other pages lead to this card. */
const HASH = '#marketplaces'

/** Marketplaces and price services whose prices are fetched by their API. For the operator. */
export function MarketplacesCard() {
  const { t } = useTranslation('imports')
  const query = useOperation('GET /api/manage/service', {})
  const [edited, setEdited] = useState<PriceSource | 'new' | null>(null)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (location.hash === HASH) place.current?.scrollIntoView()
  }, [])
  return (
    <div ref={place}>
      <Card
        title={t('marketplaces.title')}
        note={t('marketplaces.note')}
        action={<Button onClick={() => setEdited('new')}>{t('marketplaces.add')}</Button>}
      >
        {edited ? <MarketplaceDialog feed={edited === 'new' ? null : edited} close={() => setEdited(null)} /> : null}
        <QueryView query={query} skeletonLines={2}>
          {({ feeds }) => (
            <PriceSources sources={feeds.filter(isPriceSource)} edit={setEdited} refetch={() => query.refetch()} />
          )}
        </QueryView>
        <p className="muted">{t('marketplaces.terms')}</p>
      </Card>
    </div>
  )
}

function PriceSources({
  sources,
  edit,
  refetch,
}: {
  sources: readonly PriceSource[]
  edit: (source: PriceSource) => void
  refetch: () => unknown
}) {
  const { t } = useTranslation(['imports', 'service-settings', 'common'])
  const changing = useApiMutation()
  const [removed, setRemoved] = useState<PriceSource | null>(null)
  const [started, setStarted] = useState<ReadonlySet<string>>(new Set())
  const isRunning = (source: PriceSource) =>
    source.outcome === 'unfinished' || started.has(`${source.name} ${source.last_run_at}`)
  usePolling(
    sources.some((source) => isRunning(source) || source.last_run_at === null),
    refetch,
  )
  if (sources.length === 0) return <EmptyState title={t('marketplaces.none')} hint={t('marketplaces.noneHint')} />
  function run(source: PriceSource) {
    setStarted(new Set([...started, `${source.name} ${source.last_run_at}`]))
    changing.mutate(() => callApi('POST /api/manage/service/feeds/{name}/run', { params: { name: source.name } }))
  }
  const pause = (source: PriceSource) =>
    changing.mutate(() =>
      callApi('PUT /api/manage/service/feeds/{name}', {
        params: { name: source.name },
        body: { ...feedBody(source), is_paused: !source.is_paused },
      }),
    )
  return (
    <>
      <ErrorMessage error={changing.error} />
      {removed ? (
        <FormDialog
          title={t('service-settings:remove', { name: titleOf(removed) })}
          action={t('common:action.remove')}
          isDangerous
          send={() => callApi('DELETE /api/manage/service/feeds/{name}', { params: { name: removed.name } })}
          close={() => setRemoved(null)}
        >
          <p>{t('service-settings:feeds.removeHint')}</p>
        </FormDialog>
      ) : null}
      <DataTable
        label={t('marketplaces.title')}
        rows={sources}
        rowKey={({ name }) => name}
        columns={[
          {
            title: t('marketplaces.column.name'),
            isRowName: true,
            cell: (source) => <strong>{titleOf(source)}</strong>,
          },
          { title: t('marketplaces.column.requests'), cell: ({ prices }) => requestsOf(prices) },
          {
            title: t('marketplaces.column.prices'),
            cell: ({ prices }) =>
              t('marketplaces.found', {
                count: prices.listings,
                devices: formatCount(prices.devices),
                fresh: formatCount(prices.fresh_devices),
              }),
          },
          { title: t('column.lastRun'), cell: (source) => <LastRun source={source} isRunning={isRunning(source)} /> },
          {
            title: t('column.nextRun'),
            className: 'nowrap',
            cell: ({ is_paused: isPaused, next_run_at: at }) => {
              if (isPaused) return <Badge tone="warn">{t('service-settings:feeds.paused')}</Badge>
              return at ? formatTime(at) : t('feeds.manual')
            },
          },
        ]}
        actions={(source) => (
          <div className="row-actions-wrap">
            <Button disabled={changing.isPending || isRunning(source)} onClick={() => run(source)}>
              {t('service-settings:feeds.run')}
            </Button>
            <Button disabled={changing.isPending} onClick={() => pause(source)}>
              {t(source.is_paused ? 'service-settings:feeds.resume' : 'service-settings:feeds.pause')}
            </Button>
            {source.template ? <Button onClick={() => edit(source)}>{t('service-settings:edit')}</Button> : null}
            <Button variant="danger" onClick={() => setRemoved(source)}>
              {t('common:action.remove')}
            </Button>
          </div>
        )}
      />
    </>
  )

  function requestsOf({ requests_today: today, requests_per_day: perDay, waits_until: waits }: PriceSource['prices']) {
    return (
      <>
        {t('marketplaces.requests', { today: formatCount(today), perDay: formatCount(perDay) })}
        {waits && Date.parse(waits) > Date.now() ? (
          <div>
            <Badge tone="warn">{t('marketplaces.waits', { time: formatTime(waits) })}</Badge>
          </div>
        ) : null}
      </>
    )
  }
}

const titleOf = ({ name, template }: PriceSource) => (template ? marketplaceName(template.market) : name)

function LastRun({ source, isRunning }: { source: PriceSource; isRunning: boolean }) {
  const { t } = useTranslation(['imports', 'service-settings'])
  const { outcome, last_run_at: at, failure, failure_reason: why } = source
  if (isRunning) return <Badge tone="blue">{t('service-settings:running')}</Badge>
  return (
    <>
      {outcome ? (
        <Badge tone={OUTCOMES[outcome]}>{t(`state.${outcome}`)}</Badge>
      ) : (
        <span className="muted">{t('feeds.notRun')}</span>
      )}{' '}
      {at ? formatTime(at) : null}
      {outcome === 'failed' && failure ? <p className="field-error">{failureText(failure, why)}</p> : null}
    </>
  )
}
