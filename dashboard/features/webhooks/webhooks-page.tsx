import { useState } from 'react'
import type { DeliveryWire, WebhookWire } from '../../../src/contract/dashboard.ts'
import { EVENT_TYPES } from '../../../src/contract/event-types.ts'
import type { WatchWire } from '../../../src/contract/watches.ts'
import { apiPost } from '../../api.ts'
import { formatDay, formatRelativeTime, formatTime } from '../../format.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { useHasTier, useSession } from '../../session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { TextField } from '../../ui/field.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState, ErrorMessage } from '../../ui/states.tsx'
import { NewWebhookDialog, RemoveWebhookDialog, WebhookSecretDialog } from './webhook-dialogs.tsx'

export function WebhooksPage() {
  const webhooks = useApiQuery<WebhookWire[]>('/account/webhooks')
  const isOwner = useSession().role === 'owner'
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [shown, setShown] = useState<string>()
  const [removing, setRemoving] = useState<WebhookWire>()
  const chosen = shown ?? webhooks.data?.data[0]?.id
  return (
    <>
      <PageHeader
        title="Webhooks and watches"
        lead="Get notified when a watched device is blacklisted, a price changes, an import finishes or a key expires."
      >
        {isOwner ? (
          <Button variant="primary" onClick={() => setMaking(true)}>
            New webhook
          </Button>
        ) : null}
      </PageHeader>
      <Card title="Webhooks">
        <QueryView query={webhooks} skeletonLines={3}>
          {(endpoints) =>
            endpoints.length === 0 ? (
              <EmptyState title="No webhooks yet">
                <p>{isOwner ? 'Add a URL to receive events.' : 'An owner can add one.'}</p>
              </EmptyState>
            ) : (
              <DataTable label="Webhooks" head={['URL', 'Events', 'Status', 'Created']} hasActions>
                {endpoints.map((webhook) => (
                  <WebhookRow
                    key={webhook.id}
                    webhook={webhook}
                    isOwner={isOwner}
                    show={() => setShown(webhook.id)}
                    tell={setSecret}
                    remove={() => setRemoving(webhook)}
                  />
                ))}
              </DataTable>
            )
          }
        </QueryView>
      </Card>
      {chosen ? <Deliveries key={chosen} webhookId={chosen} isOwner={isOwner} /> : null}
      <Watches />
      {isMaking ? <NewWebhookDialog close={() => setMaking(false)} done={setSecret} /> : null}
      {removing ? <RemoveWebhookDialog webhook={removing} close={() => setRemoving(undefined)} /> : null}
      {secret ? <WebhookSecretDialog secret={secret} close={() => setSecret(undefined)} /> : null}
    </>
  )
}

type RowProps = {
  webhook: WebhookWire
  isOwner: boolean
  show: () => void
  tell: (secret: string) => void
  remove: () => void
}

function WebhookRow({ webhook, isOwner, show, tell, remove }: RowProps) {
  const change = useApiMutation()
  const { id } = webhook
  const rotate = () =>
    change.mutate(async () => {
      const { data } = await apiPost<{ secret: string }>('/account/webhooks/rotate', { id, overlap_hours: 24 })
      tell(data.secret)
    })
  const enable = () => change.mutate(async () => void (await apiPost('/account/webhooks/enable', { id })))
  const sendTest = () =>
    change.mutate(async () => {
      await apiPost('/account/webhooks/test', { id })
      show()
    })
  return (
    <tr className={webhook.disabled_at ? 'past' : undefined}>
      <td>
        <code>{webhook.url}</code>
        <div className="muted">{id}</div>
        {change.error ? <ErrorMessage error={change.error} /> : null}
      </td>
      <td data-label="Events">{webhook.types.length === 0 ? 'All' : webhook.types.join(', ')}</td>
      <td data-label="Status">
        <Badge tone={webhook.disabled_at ? 'bad' : 'good'}>{webhook.disabled_at ? 'Disabled' : 'Enabled'}</Badge>
        {webhook.disabled_reason ? <div className="muted">{webhook.disabled_reason}</div> : null}
      </td>
      <td data-label="Created">{formatDay(webhook.created_at)}</td>
      <td className="row-actions">
        <Button onClick={show}>Deliveries</Button>
        {isOwner ? (
          <>
            {webhook.disabled_at ? <Button onClick={enable}>Enable</Button> : null}
            {webhook.disabled_at ? null : (
              <Button onClick={sendTest} isBusy={change.isPending}>
                Send test event
              </Button>
            )}
            <Button onClick={rotate} isBusy={change.isPending}>
              Rotate secret
            </Button>
            <Button variant="danger" onClick={remove}>
              Remove
            </Button>
          </>
        ) : null}
      </td>
    </tr>
  )
}

const STATES: Readonly<Record<DeliveryWire['state'], Tone>> = { pending: 'warn', delivered: 'good', failed: 'bad' }

function Deliveries({ webhookId, isOwner }: { webhookId: string; isOwner: boolean }) {
  const [state, setState] = useState('')
  const [type, setType] = useState('')
  const filter = new URLSearchParams({ id: webhookId, state, type })
  const query = useApiQuery<DeliveryWire[]>(`/account/webhooks/deliveries?${filter}`)
  return (
    <Card title="Deliveries">
      <div className="inline-actions">
        <select aria-label="Status" value={state} onChange={(event) => setState(event.target.value)}>
          <option value="">All statuses</option>
          {Object.keys(STATES).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <select aria-label="Event type" value={type} onChange={(event) => setType(event.target.value)}>
          <option value="">All event types</option>
          {EVENT_TYPES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      {isOwner ? <ReplayRange webhookId={webhookId} /> : null}
      <QueryView query={query} skeletonLines={4}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <EmptyState title="No deliveries yet" />
          ) : (
            <DataTable label="Deliveries" head={['Event', 'Status', 'Response', 'Payload']} hasActions>
              {deliveries.map((delivery) => (
                <DeliveryRow key={delivery.event_id} {...{ delivery, webhookId, isOwner }} />
              ))}
            </DataTable>
          )
        }
      </QueryView>
    </Card>
  )
}

/** Sends the events of a time range again; times are those of this computer. */
function ReplayRange({ webhookId }: { webhookId: string }) {
  const change = useApiMutation()
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [onlyFailed, setOnlyFailed] = useState(true)
  const [replayed, setReplayed] = useState<number>()
  const replay = () =>
    change.mutate(async () => {
      const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), only_failed: onlyFailed }
      const { data } = await apiPost<{ replayed: number }>('/account/webhooks/replay-range', {
        id: webhookId,
        ...range,
      })
      setReplayed(data.replayed)
    })
  return (
    <details>
      <summary>Replay a time range</summary>
      <div className="inline-actions">
        <TextField label="From" type="datetime-local" value={from} onValueChange={setFrom} />
        <TextField label="To" type="datetime-local" value={to} onValueChange={setTo} />
        <label>
          <input type="checkbox" checked={onlyFailed} onChange={(event) => setOnlyFailed(event.target.checked)} /> Only
          failed deliveries
        </label>
        <Button onClick={replay} isBusy={change.isPending} disabled={!from || !to}>
          Replay
        </Button>
        {change.error ? <ErrorMessage error={change.error} /> : null}
        {replayed === undefined ? null : <p role="status">{replayed} events are sent again.</p>}
      </div>
    </details>
  )
}

type DeliveryProps = { delivery: DeliveryWire; webhookId: string; isOwner: boolean }

function DeliveryRow({ delivery, webhookId, isOwner }: DeliveryProps) {
  const change = useApiMutation()
  const { event_id, payload, state, attempts, status, response } = delivery
  const replay = () =>
    change.mutate(async () => void (await apiPost('/account/webhooks/replay', { id: webhookId, event_id })))
  return (
    <tr>
      <td>
        <strong>{payload.type}</strong>
        <div className="muted" title={formatTime(payload.timestamp)}>
          {event_id} · {formatRelativeTime(payload.timestamp)}
        </div>
      </td>
      <td data-label="Status">
        <Badge tone={STATES[state]}>{state}</Badge>
        <div className="muted">{attempts === 1 ? '1 attempt' : `${attempts} attempts`}</div>
      </td>
      <td data-label="Response">
        {status ?? 'None'} <span className="muted">{response}</span>
      </td>
      <td data-label="Payload">
        <details>
          <summary>Show</summary>
          <CodeBlock label="JSON" code={JSON.stringify(payload, null, 2)} />
        </details>
      </td>
      <td className="row-actions">
        {isOwner ? (
          <Button onClick={replay} isBusy={change.isPending}>
            Replay<span className="visually-hidden"> {event_id}</span>
          </Button>
        ) : null}
      </td>
    </tr>
  )
}

function Watches() {
  const mayWatch = useHasTier('enterprise')
  const query = useApiQuery<WatchWire[]>(mayWatch ? '/account/explore/watches?limit=100' : null)
  const change = useApiMutation()
  if (!mayWatch) return null
  return (
    <Card title="Watches">
      <QueryView query={query} skeletonLines={3}>
        {(watches) =>
          watches.length === 0 ? (
            <EmptyState title="No watches yet">
              <p>
                Use <strong>Watch</strong> on the page of a price or a lookup, or <code>POST /api/watches</code>.
              </p>
            </EmptyState>
          ) : (
            <DataTable label="Watches" head={['Watched', 'Reference', 'Until']} hasActions>
              {watches.map((watch) => (
                <tr key={watch.id}>
                  <td>
                    <code>{watch.identifier ?? watch.variant_id}</code>
                    {watch.threshold_percent === null ? null : (
                      <div className="muted">Threshold {watch.threshold_percent} %</div>
                    )}
                  </td>
                  <td data-label="Reference">{watch.reference ?? '–'}</td>
                  <td data-label="Until">{watch.until === null ? 'No end date' : formatDay(watch.until)}</td>
                  <td className="row-actions">
                    <Button
                      onClick={() =>
                        change.mutate(async () => void (await apiPost('/account/watches/remove', { id: watch.id })))
                      }
                    >
                      Remove<span className="visually-hidden"> {watch.identifier ?? watch.variant_id}</span>
                    </Button>
                  </td>
                </tr>
              ))}
            </DataTable>
          )
        }
      </QueryView>
    </Card>
  )
}
