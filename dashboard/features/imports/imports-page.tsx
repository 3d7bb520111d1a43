import { useState } from 'react'
import type { FeedWire, ImportRunWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { formatCount, formatDuration, formatTime, humanize } from '../../format.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState, ErrorMessage } from '../../ui/states.tsx'
import { TableScroll } from '../../ui/table-scroll.tsx'
import { DealsCard } from './deals-card.tsx'
import { ExchangeRatesCard } from './exchange-rates-card.tsx'
import { RetryButton } from './retry-button.tsx'
import { LIST_KIND_LABELS } from './upload-labels.ts'
import { UploadPanel } from './upload-panel.tsx'

const STATES: Readonly<Record<ImportRunWire['state'], readonly [Tone, string]>> = {
  done: ['good', 'Done'],
  failed: ['bad', 'Failed'],
  unfinished: ['warn', 'Not finished'],
}

const OUTCOMES: Readonly<Record<NonNullable<FeedWire['outcome']>, readonly [Tone, string]>> = {
  imported: ['good', 'Imported'],
  unchanged: ['good', 'Unchanged'],
  failed: ['bad', 'Failed'],
  stopped: ['warn', 'Stopped'],
  unfinished: ['warn', 'Not finished'],
}

export function ImportsPage() {
  const session = useSession()
  const isOwner = session.role === 'owner'
  const query = useApiQuery<ImportRunWire[]>(isOwner ? '/account/imports' : null)
  const feeds = useApiQuery<FeedWire[]>(isOwner ? '/account/feeds' : null).data?.data ?? []
  return (
    <>
      <PageHeader title="Imports" lead="Import price lists, identifier lists, catalogues and repair data." />
      {isOwner ? <UploadPanel /> : null}
      {isOwner ? <DealsCard /> : null}
      {isOwner ? <ExchangeRatesCard /> : null}
      {feeds.length > 0 ? (
        <Card title="Feeds">
          <Feeds feeds={feeds} />
        </Card>
      ) : null}
      {isOwner ? (
        <Card title="Import history">
          <QueryView query={query}>
            {(runs) =>
              runs.length === 0 ? (
                <EmptyState title="No imports yet">
                  <p>The service uses its bundled data.</p>
                </EmptyState>
              ) : (
                <Runs runs={runs} />
              )
            }
          </QueryView>
        </Card>
      ) : (
        <EmptyState title="Only owners can see imports" />
      )}
    </>
  )
}

function Runs({ runs }: { runs: readonly ImportRunWire[] }) {
  return (
    <TableScroll label="Imports" asCards>
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Type</th>
            <th scope="col">Status</th>
            <th scope="col" className="number">
              Rows
            </th>
            <th scope="col" className="number">
              Rejected
            </th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td data-label="When" className="nowrap">
                {formatTime(run.started_at)}
                {run.finished_at ? (
                  <div className="muted">took {formatDuration(run.started_at, run.finished_at)}</div>
                ) : null}
              </td>
              <td data-label="Type">
                {LIST_KIND_LABELS[run.format] ?? humanize(run.format)}
                {run.file ? <div className="muted import-file">{run.file}</div> : null}
              </td>
              <td data-label="Status">
                <Badge tone={STATES[run.state][0]}>{STATES[run.state][1]}</Badge>
              </td>
              <Figure name="Rows" value={run.figures.rows} />
              <Figure name="Rejected" value={run.figures.rejected} />
              <td data-label="Result" className={run.failure || resultOf(run) ? undefined : 'blank'}>
                {run.failure ?? resultOf(run)}
                {run.undone_at ? <div className="muted">Undone {formatTime(run.undone_at)}</div> : null}
                {run.has_report ? (
                  <div>
                    <a href={`/account/imports/rejected?id=${run.id}`} download>
                      Rejected rows
                      <span className="visually-hidden"> of {run.file}</span>
                    </a>
                  </div>
                ) : null}
                {run.has_report && run.format === 'observations' ? <RetryButton runId={run.id} /> : null}
                {run.can_undo ? <UndoButton run={run} /> : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  )
}

function UndoButton({ run }: { run: ImportRunWire }) {
  const [isAsking, setAsking] = useState(false)
  const change = useApiMutation()
  const undo = () =>
    change.mutate(async () => {
      await apiPost('/account/imports/undo', { id: run.id })
      setAsking(false)
    })
  return (
    <>
      <Button variant="link" onClick={() => setAsking(true)}>
        Undo
        <span className="visually-hidden"> the import of {run.file}</span>
      </Button>
      {isAsking ? (
        <Dialog title="Undo this import?" onClose={() => setAsking(false)}>
          <p>
            Removes the {formatCount(run.figures.written ?? 0)} prices of {run.file} and brings back those that they
            replaced. Prices are recalculated at once.
          </p>
          {change.error ? <ErrorMessage error={change.error} /> : null}
          <div className="dialog-actions">
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button variant="danger" isBusy={change.isPending} onClick={undo}>
              Undo import
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

/** Shows that a feed failed, not why: the reason is in the operator's log. */
function Feeds({ feeds }: { feeds: readonly FeedWire[] }) {
  return (
    <TableScroll label="Feeds" asCards>
      <table>
        <thead>
          <tr>
            <th scope="col">Feed</th>
            <th scope="col">Type</th>
            <th scope="col">Last run</th>
            <th scope="col">Status</th>
            <th scope="col">Next run</th>
            <th scope="col">Last failure</th>
          </tr>
        </thead>
        <tbody>
          {feeds.map((feed) => (
            <tr key={feed.name}>
              <td data-label="Feed" className="nowrap">
                {feed.name}
              </td>
              <td data-label="Type" className="nowrap">
                {LIST_KIND_LABELS[feed.format] ?? humanize(feed.format)}
              </td>
              <td data-label="Last run" className="nowrap">
                {formatTime(feed.last_run_at)}
              </td>
              <td data-label="Status">
                {feed.outcome ? (
                  <Badge tone={OUTCOMES[feed.outcome][0]}>{OUTCOMES[feed.outcome][1]}</Badge>
                ) : (
                  <span className="muted">Not run yet</span>
                )}
              </td>
              <td data-label="Next run" className="nowrap">
                {feed.schedule === null ? 'Manual' : formatTime(feed.next_run_at)}
              </td>
              <td data-label="Last failure" className="nowrap">
                {feed.last_failure_at ? formatTime(feed.last_failure_at) : 'None'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
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
function resultOf({ figures }: ImportRunWire): string {
  return Object.entries(figures)
    .filter(([name, value]) => name !== 'rows' && name !== 'rejected' && value !== 0)
    .map(([name, value]) => `${humanize(name)} ${formatCount(value)}`)
    .join(' · ')
}
