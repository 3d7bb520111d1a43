import type { FeedWire, ImportRunWire } from '../../../src/contract/dashboard.ts'
import { formatCount, formatDuration, formatTime, humanize } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge, Card, EmptyState, PageHeader, QueryView, TableScroll, type Tone } from '../../ui/basics.tsx'
import { LIST_KIND_LABELS } from './upload-labels.ts'
import { UploadPanel } from './upload-panel.tsx'

const STATES: Readonly<Record<ImportRunWire['state'], readonly [Tone, string]>> = {
  done: ['good', 'done'],
  failed: ['bad', 'failed'],
  unfinished: ['warn', 'not finished'],
}

const OUTCOMES: Readonly<Record<NonNullable<FeedWire['outcome']>, readonly [Tone, string]>> = {
  imported: ['good', 'imported'],
  unchanged: ['good', 'unchanged'],
  failed: ['bad', 'failed'],
  stopped: ['warn', 'stopped'],
  unfinished: ['warn', 'not finished'],
}

export function ImportsPage() {
  const session = useSession()
  const isOwner = session.role === 'owner'
  const asked = useApiQuery<ImportRunWire[]>(isOwner ? '/account/imports' : null)
  const feeds = useApiQuery<FeedWire[]>(isOwner ? '/account/feeds' : null).data?.data ?? []
  return (
    <>
      <PageHeader
        title="Imports"
        lead="The lists that this service is answered from: prices, identifiers, devices, repairs."
      />
      {isOwner ? <UploadPanel /> : null}
      {feeds.length > 0 ? (
        <Card title="Feeds">
          <Feeds feeds={feeds} />
        </Card>
      ) : null}
      {isOwner ? (
        <Card title="Imported so far">
          <QueryView asked={asked}>
            {(runs) =>
              runs.length === 0 ? (
                <EmptyState title="Nothing was imported yet">
                  <p>The service answers with the facts it came with.</p>
                </EmptyState>
              ) : (
                <Runs runs={runs} />
              )
            }
          </QueryView>
        </Card>
      ) : (
        <EmptyState title="Imports are shown to owners" />
      )}
    </>
  )
}

function Runs({ runs }: { runs: readonly ImportRunWire[] }) {
  return (
    <TableScroll label="Imports" cards>
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col">State</th>
            <th scope="col" className="number">
              Rows
            </th>
            <th scope="col" className="number">
              Rejected
            </th>
            <th scope="col">Came to</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td data-label="When" className="nowrap">
                {formatTime(run.started_at)}
                {run.finished_at ? (
                  <div className="soft">took {formatDuration(run.started_at, run.finished_at)}</div>
                ) : null}
              </td>
              <td data-label="What">
                {LIST_KIND_LABELS[run.format] ?? humanize(run.format)}
                {run.file ? <div className="soft import-file">{run.file}</div> : null}
              </td>
              <td data-label="State">
                <Badge tone={STATES[run.state][0]}>{STATES[run.state][1]}</Badge>
              </td>
              <Figure name="Rows" value={run.figures.rows} />
              <Figure name="Rejected" value={run.figures.rejected} />
              <td data-label="Came to" className={run.failure || resultOf(run) ? undefined : 'blank'}>
                {run.failure ?? resultOf(run)}
                {run.has_report ? (
                  <div>
                    <a href={`/account/imports/rejected?id=${run.id}`} download>
                      Rejected rows
                      <span className="unseen"> of {run.file}</span>
                    </a>
                  </div>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  )
}

/** Why one failed is the operator's to know; that it failed is for everybody who relies on it. */
function Feeds({ feeds }: { feeds: readonly FeedWire[] }) {
  return (
    <TableScroll label="Feeds" cards>
      <table>
        <thead>
          <tr>
            <th scope="col">Feed</th>
            <th scope="col">What</th>
            <th scope="col">Last run</th>
            <th scope="col">State</th>
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
              <td data-label="What" className="nowrap">
                {LIST_KIND_LABELS[feed.format] ?? humanize(feed.format)}
              </td>
              <td data-label="Last run" className="nowrap">
                {formatTime(feed.last_run_at)}
              </td>
              <td data-label="State">
                {feed.outcome ? (
                  <Badge tone={OUTCOMES[feed.outcome][0]}>{OUTCOMES[feed.outcome][1]}</Badge>
                ) : (
                  <span className="soft">not run yet</span>
                )}
              </td>
              <td data-label="Next run" className="nowrap">
                {feed.schedule === null ? 'by hand' : formatTime(feed.next_run_at)}
              </td>
              <td data-label="Last failure" className="nowrap">
                {feed.last_failure_at ? formatTime(feed.last_failure_at) : 'none'}
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

/** What has its own column, and what is nothing, is left out. */
function resultOf({ figures }: ImportRunWire): string {
  return Object.entries(figures)
    .filter(([name, value]) => name !== 'rows' && name !== 'rejected' && value !== 0)
    .map(([name, value]) => `${humanize(name)} ${formatCount(value)}`)
    .join(' · ')
}
