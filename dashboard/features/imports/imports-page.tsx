import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { FeedWire, ImportRunWire } from '../../../src/contract/imports.ts'
import { apiPost } from '../../api.ts'
import { formatCount, formatDuration, formatTime } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { DealsCard } from './deals-card.tsx'
import { ExchangeRatesCard } from './exchange-rates-card.tsx'
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
  const query = useApiQuery(isOwner ? '/account/imports' : null)
  const feeds = useApiQuery(isOwner ? '/account/feeds' : null).data?.data ?? []
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      {isOwner ? <UploadPanel /> : null}
      {isOwner ? <DealsCard /> : null}
      {isOwner ? <ExchangeRatesCard /> : null}
      {feeds.length > 0 ? (
        <Card title={t('feeds.title')}>
          <Feeds feeds={feeds} />
        </Card>
      ) : null}
      {isOwner ? (
        <Card title={t('history.title')}>
          <QueryView query={query} empty={<EmptyState title={t('history.none')} hint={t('history.bundled')} />}>
            {(runs) => <Runs runs={runs} />}
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
      head={[
        t('column.when'),
        t('column.type'),
        t('column.status'),
        { number: t('column.rows') },
        { number: t('column.rejected') },
        t('column.result'),
      ]}
    >
      {runs.map((run) => (
        <tr key={run.id}>
          <td data-label={t('column.when')} className="nowrap">
            {formatTime(run.started_at)}
            {run.finished_at ? (
              <div className="muted">
                {t('history.took', { duration: formatDuration(run.started_at, run.finished_at) })}
              </div>
            ) : null}
          </td>
          <td data-label={t('column.type')}>
            {listKind(run.format)}
            {run.file ? <div className="muted import-file">{run.file}</div> : null}
          </td>
          <td data-label={t('column.status')}>
            <Badge tone={STATES[run.state]}>{t(`state.${run.state}`)}</Badge>
          </td>
          <Figure name={t('column.rows')} value={run.counts.rows} />
          <Figure name={t('column.rejected')} value={run.counts.rejected} />
          <td data-label={t('column.result')} className={run.failure || resultOf(run) ? undefined : 'blank'}>
            {run.failure ?? resultOf(run)}
            {run.undone_at ? (
              <div className="muted">{t('history.undone', { time: formatTime(run.undone_at) })}</div>
            ) : null}
            {run.has_report ? (
              <div>
                <a href={`/account/imports/rejected?id=${run.id}`} download>
                  <Trans
                    {...{ t, values: { file: run.file } }}
                    i18nKey="history.rejectedRows"
                    components={{ hidden: <span className="visually-hidden" /> }}
                  />
                </a>
              </div>
            ) : null}
            {run.has_report && run.format === 'observations' ? <RetryButton runId={run.id} /> : null}
            {run.can_undo ? <UndoButton run={run} /> : null}
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

function UndoButton({ run }: { run: ImportRunWire }) {
  const { t } = useTranslation('imports')
  const [isAsking, setAsking] = useState(false)
  const send = async () => {
    await apiPost('/account/imports/undo', { id: run.id })
    setAsking(false)
  }
  return (
    <>
      <Button variant="link" onClick={() => setAsking(true)}>
        <Trans
          {...{ t, values: { file: run.file } }}
          i18nKey="undo.undo"
          components={{ hidden: <span className="visually-hidden" /> }}
        />
      </Button>
      {isAsking ? (
        <FormDialog
          title={t('undo.title')}
          action={t('undo.confirm')}
          isDangerous
          send={send}
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
      head={[
        t('column.feed'),
        t('column.type'),
        t('column.lastRun'),
        t('column.status'),
        t('column.nextRun'),
        t('column.lastFailure'),
      ]}
    >
      {feeds.map((feed) => (
        <tr key={feed.name}>
          <td data-label={t('column.feed')} className="nowrap">
            {feed.name}
          </td>
          <td data-label={t('column.type')} className="nowrap">
            {listKind(feed.format)}
          </td>
          <td data-label={t('column.lastRun')} className="nowrap">
            {formatTime(feed.last_run_at)}
          </td>
          <td data-label={t('column.status')}>
            {feed.outcome ? (
              <Badge tone={OUTCOMES[feed.outcome]}>{t(`state.${feed.outcome}`)}</Badge>
            ) : (
              <span className="muted">{t('feeds.notRun')}</span>
            )}
          </td>
          <td data-label={t('column.nextRun')} className="nowrap">
            {feed.schedule === null ? t('feeds.manual') : formatTime(feed.next_run_at)}
          </td>
          <td data-label={t('column.lastFailure')} className="nowrap">
            {feed.last_failure_at ? formatTime(feed.last_failure_at) : t('feeds.none')}
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

function Figure({ name, value }: { name: string; value: number | undefined }) {
  return (
    <td data-label={name} className={value === undefined ? 'number blank' : 'number'}>
      {value === undefined ? '' : formatCount(value)}
    </td>
  )
}

/** Figures without a column of their own; zeros are omitted. */
function resultOf({ counts }: ImportRunWire): string {
  return Object.entries(counts)
    .filter(([name, value]) => name !== 'rows' && name !== 'rejected' && value !== 0)
    .map(([name, value]) => `${figureName(name)} ${formatCount(value)}`)
    .join(' · ')
}
