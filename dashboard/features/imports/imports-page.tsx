import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { FeedWire, ImportRunWire } from '../../../src/contract/imports.ts'
import { callApi } from '../../api.ts'
import { failureText } from '../../error-text.ts'
import { formatCount, formatDuration, formatTime } from '../../format.ts'
import { currentLanguage } from '../../i18n.ts'
import { useOperation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { EmptyState, LoadingSkeleton, QueryView } from '../../ui/states.tsx'
import { DealsCard } from './deals-card.tsx'
import { ExchangeRatesCard } from './exchange-rates-card.tsx'
import { MarketplacesCard } from './marketplaces-card.tsx'
import { RetryButton } from './retry-button.tsx'
import { figureName, listKind } from './upload-labels.ts'
import { UploadPanel } from './upload-panel.tsx'

const STATES: Readonly<Record<ImportRunWire['state'], Tone>> = {
  done: 'good',
  failed: 'bad',
  unfinished: 'warn',
}

const OUTCOMES: Readonly<Record<NonNullable<FeedWire['outcome']>, Tone>> = {
  imported: 'good',
  unchanged: 'good',
  failed: 'bad',
  stopped: 'warn',
  unfinished: 'warn',
}

export function ImportsPage() {
  const { t } = useTranslation('imports')
  const session = useSession()
  const isOwner = session.role === 'owner'
  const isOperator = isOwner && session.runs_service
  const query = useOperation('GET /api/manage/imports', isOwner ? {} : null)
  const feedQuery = useOperation('GET /api/manage/feeds', isOwner ? {} : null)
  // A list that waits for answers has the page to itself.
  const upload = useOperation('GET /api/manage/uploads', isOperator ? {} : null).data?.data.current
  const isReviewing = upload?.state === 'checked' || upload?.state === 'checking'
  const allFeeds = feedQuery.data?.data ?? []
  // The operator has a card of marketplaces.
  const feeds = isOperator ? allFeeds.filter(({ prices }) => prices === null) : allFeeds
  // What the cards show: they appear together, because a card that comes later would move those below it.
  const service = useOperation('GET /api/manage/service', isOperator ? {} : null)
  const settings = useOperation('GET /api/manage/settings', isOwner ? {} : null)
  const rates = useOperation('GET /api/manage/rates', isOwner ? {} : null)
  if (isOwner && [query, feedQuery, settings, rates, ...(isOperator ? [service] : [])].some((each) => each.isPending))
    return (
      <>
        <PageHeader title={t('title')} lead={t('lead')} />
        <UploadPanel />
        <LoadingSkeleton lines={6} />
      </>
    )
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      {isOwner ? <UploadPanel /> : null}
      {isOperator && !isReviewing ? <MarketplacesCard /> : null}
      {isOwner && !isReviewing ? <DealsCard /> : null}
      {isOwner && !isReviewing ? <ExchangeRatesCard /> : null}
      {feeds.length > 0 && !isReviewing ? (
        <Card title={t('feeds.title')}>
          <Feeds feeds={feeds} />
        </Card>
      ) : null}
      {isOwner ? (
        <Card title={t('history.title')}>
          <QueryView query={query}>
            {(runs) =>
              runs.length > 0 ? (
                <Runs runs={runs} />
              ) : (
                <EmptyState title={t('history.none')} hint={t('history.bundled')} />
              )
            }
          </QueryView>
        </Card>
      ) : (
        <EmptyState title={t('ownersOnly')} />
      )}
    </>
  )
}

function Runs({ runs }: { runs: readonly ImportRunWire[] }) {
  const { t } = useTranslation('imports')
  return (
    <DataTable
      label={t('title')}
      rows={runs}
      rowKey={(run) => run.id}
      columns={[
        {
          title: t('column.when'),
          className: 'nowrap',
          cell: ({ started_at: start, finished_at: end }) => (
            <>
              {formatTime(start)}
              {end ? <div className="muted">{t('history.took', { duration: formatDuration(start, end) })}</div> : null}
            </>
          ),
        },
        {
          title: t('column.type'),
          cell: ({ format, file }) => (
            <>
              {listKind(format)}
              {file ? <div className="muted breakable">{file}</div> : null}
            </>
          ),
        },
        {
          title: t('column.status'),
          cell: ({ state }) => <Badge tone={STATES[state]}>{t(`state.${state}`)}</Badge>,
        },
        { title: t('column.rows'), className: 'number roomy-only', cell: ({ counts }) => countText(counts.rows) },
        {
          title: t('column.rejected'),
          className: 'number roomy-only',
          cell: ({ counts }) => countText(counts.rejected),
        },
        { title: t('column.result'), cell: (run) => <RunResult run={run} /> },
      ]}
    />
  )
}

const countText = (value: number | undefined) => (value === undefined ? null : formatCount(value))

function RunResult({ run }: { run: ImportRunWire }) {
  const { t } = useTranslation('imports')
  return (
    <>
      {run.failure ? failureText(run.failure, run.failure_reason) : resultOf(run)}
      {run.undone_at ? <div className="muted">{t('history.undone', { time: formatTime(run.undone_at) })}</div> : null}
      {run.has_report ? (
        <div>
          <DownloadButton
            variant="link"
            route="GET /api/manage/imports/{id}/rejected"
            request={{ params: { id: run.id }, query: { language: currentLanguage() } }}
          >
            <Trans
              t={t}
              i18nKey="history.rejectedRows"
              values={{ file: run.file }}
              components={{ hidden: <span className="visually-hidden" /> }}
            />
          </DownloadButton>
        </div>
      ) : null}
      {run.has_report && run.format === 'observations' ? <RetryButton runId={run.id} /> : null}
      {run.can_undo ? <UndoButton run={run} /> : null}
    </>
  )
}

function UndoButton({ run }: { run: ImportRunWire }) {
  const { t } = useTranslation('imports')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button variant="link" onClick={() => setAsking(true)}>
        <Trans
          t={t}
          i18nKey="undo.undo"
          values={{ file: run.file }}
          components={{ hidden: <span className="visually-hidden" /> }}
        />
      </Button>
      {isAsking ? (
        <FormDialog
          title={t('undo.title')}
          action={t('undo.confirm')}
          isDangerous
          send={() => callApi('POST /api/manage/imports/{id}/undo', { params: { id: run.id } })}
          close={() => setAsking(false)}
        >
          <p>{t('undo.text', { count: run.counts.written ?? 0, file: run.file })}</p>
        </FormDialog>
      ) : null}
    </>
  )
}

/** Shows that a feed failed, not why: the reason is in the operator's log. */
function Feeds({ feeds }: { feeds: readonly FeedWire[] }) {
  const { t } = useTranslation('imports')
  return (
    <DataTable
      label={t('feeds.title')}
      rows={feeds}
      rowKey={(feed) => feed.name}
      columns={[
        { title: t('column.feed'), className: 'nowrap', cell: (feed) => feed.name },
        { title: t('column.type'), className: 'nowrap', cell: (feed) => listKind(feed.format) },
        { title: t('column.lastRun'), className: 'nowrap', cell: (feed) => formatTime(feed.last_run_at) },
        {
          title: t('column.status'),
          cell: ({ outcome }) =>
            outcome ? (
              <Badge tone={OUTCOMES[outcome]}>{t(`state.${outcome}`)}</Badge>
            ) : (
              <span className="muted">{t('feeds.notRun')}</span>
            ),
        },
        {
          title: t('column.nextRun'),
          className: 'nowrap',
          cell: (feed) => (feed.schedule === null ? t('feeds.manual') : formatTime(feed.next_run_at)),
        },
        {
          title: t('column.lastFailure'),
          className: 'nowrap',
          cell: ({ last_failure_at: at }) => (at ? formatTime(at) : t('feeds.none')),
        },
      ]}
    />
  )
}

/** Figures without a column of their own; zeros are omitted. */
function resultOf({ counts }: ImportRunWire): string {
  return Object.entries(counts)
    .filter(([name, value]) => name !== 'rows' && name !== 'rejected' && value !== 0)
    .map(([name, value]) => `${figureName(name)} ${formatCount(value)}`)
    .join(' · ')
}
