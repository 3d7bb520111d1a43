import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { EVENT_TYPES } from '../../../src/contract/event-types.ts'
import type { DeliveryWire, WebhookWire } from '../../../src/contract/webhooks.ts'
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
import { Select } from '../../ui/select.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState, ErrorMessage } from '../../ui/states.tsx'
import { NewWebhookDialog, RemoveWebhookDialog, WebhookSecretDialog } from './webhook-dialogs.tsx'

export function WebhooksPage() {
  const { t } = useTranslation('webhooks')
  const webhooks = useApiQuery('/account/webhooks')
  const isOwner = useSession().role === 'owner'
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [shown, setShown] = useState<string>()
  const [removing, setRemoving] = useState<WebhookWire>()
  const chosen = shown ?? webhooks.data?.data[0]?.id
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        {isOwner ? (
          <Button variant="primary" onClick={() => setMaking(true)}>
            {t('new')}
          </Button>
        ) : null}
      </PageHeader>
      <Card title={t('webhooks')}>
        <QueryView
          query={webhooks}
          skeletonLines={3}
          empty={<EmptyState title={t('none')} hint={t(isOwner ? 'noneOwner' : 'noneOther')} />}
        >
          {(endpoints) => (
            <DataTable
              label={t('webhooks')}
              head={[t('column.url'), t('column.events'), t('column.status')]}
              hasActions
            >
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
          )}
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
  const { t } = useTranslation(['webhooks', 'common'])
  const change = useApiMutation()
  const { id } = webhook
  const rotate = () =>
    change.mutate(async () => {
      const { data } = await apiPost('/account/webhooks/rotate', { id, overlap_hours: 24 })
      tell(data.secret)
    })
  const enable = () => change.mutate(() => apiPost('/account/webhooks/enable', { id }))
  const sendTest = () =>
    change.mutate(async () => {
      await apiPost('/account/webhooks/test', { id })
      show()
    })
  return (
    <tr className={webhook.disabled_at ? 'past' : undefined}>
      <td>
        <code className="breakable">{webhook.url}</code>
        <div className="muted">{t('added', { id, day: formatDay(webhook.created_at) })}</div>
        {change.error ? <ErrorMessage error={change.error} /> : null}
      </td>
      <td data-label={t('column.events')}>{webhook.types.length === 0 ? t('allEvents') : webhook.types.join(', ')}</td>
      <td data-label={t('column.status')}>
        <Badge tone={webhook.disabled_at ? 'bad' : 'good'}>{t(webhook.disabled_at ? 'disabled' : 'enabled')}</Badge>
        {webhook.disabled_reason ? <div className="muted">{webhook.disabled_reason}</div> : null}
      </td>
      <td>
        <div className="row-actions row-actions-wrap">
          <Button onClick={show}>{t('deliveries.title')}</Button>
          {isOwner ? (
            <>
              {webhook.disabled_at ? <Button onClick={enable}>{t('enable')}</Button> : null}
              {webhook.disabled_at ? null : (
                <Button onClick={sendTest} isBusy={change.isPending}>
                  {t('sendTest')}
                </Button>
              )}
              <Button onClick={rotate} isBusy={change.isPending}>
                {t('rotateSecret')}
              </Button>
              <Button variant="danger" onClick={remove}>
                {t('common:action.remove')}
              </Button>
            </>
          ) : null}
        </div>
      </td>
    </tr>
  )
}

/** Deliveries that are shown at first. */
const SHOWN_DELIVERIES = 10
const STATES = ['pending', 'delivered', 'failed'] as const
const STATE_TONES: Readonly<Record<DeliveryWire['state'], Tone>> = { pending: 'warn', delivered: 'good', failed: 'bad' }

function Deliveries({ webhookId, isOwner }: { webhookId: string; isOwner: boolean }) {
  const { t } = useTranslation('webhooks')
  const [state, setState] = useState('')
  const [type, setType] = useState('')
  const filter = new URLSearchParams({ id: webhookId, state, type })
  const query = useApiQuery(`/account/webhooks/deliveries?${filter}`)
  return (
    <Card title={t('deliveries.title')}>
      <div className="inline-actions">
        <Select
          aria-label={t('column.status')}
          value={state}
          options={[['', t('deliveries.allStatuses')], ...STATES.map((name) => [name, t(`state.${name}`)] as const)]}
          onValueChange={setState}
        />
        <Select
          aria-label={t('deliveries.type')}
          value={type}
          options={[['', t('deliveries.allTypes')], ...EVENT_TYPES]}
          onValueChange={setType}
        />
      </div>
      {isOwner ? <ReplayRange webhookId={webhookId} /> : null}
      <QueryView query={query} skeletonLines={4} empty={<EmptyState title={t('deliveries.none')} />}>
        {(deliveries) => (
          <ShowMore
            items={deliveries}
            limit={SHOWN_DELIVERIES}
            label={t('deliveries.showAll', { count: deliveries.length })}
          >
            {(shown) => (
              <DataTable
                label={t('deliveries.title')}
                head={[t('column.event'), t('column.status'), t('column.response'), t('column.payload')]}
                hasActions
              >
                {shown.map((delivery) => (
                  <DeliveryRow key={delivery.event_id} {...{ delivery, webhookId, isOwner }} />
                ))}
              </DataTable>
            )}
          </ShowMore>
        )}
      </QueryView>
    </Card>
  )
}

/** Sends the events of a time range again; times are those of this computer. */
function ReplayRange({ webhookId }: { webhookId: string }) {
  const { t } = useTranslation('webhooks')
  const change = useApiMutation()
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [onlyFailed, setOnlyFailed] = useState(true)
  const [replayed, setReplayed] = useState<number>()
  const replay = () =>
    change.mutate(async () => {
      const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), only_failed: onlyFailed }
      const { data } = await apiPost('/account/webhooks/replay-range', {
        id: webhookId,
        ...range,
      })
      setReplayed(data.replayed)
    })
  return (
    <details>
      <summary>{t('replay.title')}</summary>
      <div className="inline-actions">
        <TextField label={t('replay.from')} type="datetime-local" value={from} onValueChange={setFrom} />
        <TextField label={t('replay.to')} type="datetime-local" value={to} onValueChange={setTo} />
        <label>
          <input type="checkbox" checked={onlyFailed} onChange={(event) => setOnlyFailed(event.target.checked)} />{' '}
          {t('replay.onlyFailed')}
        </label>
        <Button onClick={replay} isBusy={change.isPending} disabled={!from || !to}>
          {t('replay.button')}
        </Button>
        {change.error ? <ErrorMessage error={change.error} /> : null}
        {replayed === undefined ? null : <p role="status">{t('replay.done', { count: replayed })}</p>}
      </div>
    </details>
  )
}

type DeliveryProps = { delivery: DeliveryWire; webhookId: string; isOwner: boolean }

function DeliveryRow({ delivery, webhookId, isOwner }: DeliveryProps) {
  const { t } = useTranslation(['webhooks', 'common'])
  const change = useApiMutation()
  const { event_id, payload, state, attempts, status, response } = delivery
  const replay = () => change.mutate(() => apiPost('/account/webhooks/replay', { id: webhookId, event_id }))
  return (
    <tr>
      <td>
        <strong>{payload.type}</strong>
        <div className="muted" title={formatTime(payload.timestamp)}>
          {event_id} · {formatRelativeTime(payload.timestamp)}
        </div>
      </td>
      <td data-label={t('column.status')}>
        <Badge tone={STATE_TONES[state]}>{t(`state.${state}`)}</Badge>
        <div className="muted">{t('deliveries.attempts', { count: attempts })}</div>
      </td>
      <td data-label={t('column.response')}>
        <span>
          {status ?? (response ? '' : t('deliveries.noResponse'))} <span className="muted">{response}</span>
        </span>
      </td>
      <td data-label={t('column.payload')}>
        <details>
          <summary>{t('common:action.show')}</summary>
          <CodeBlock label="JSON" code={JSON.stringify(payload, null, 2)} />
        </details>
      </td>
      <td className="row-actions">
        {isOwner ? (
          <Button aria-label={t('replay.named', { id: event_id })} onClick={replay} isBusy={change.isPending}>
            {t('replay.button')}
          </Button>
        ) : null}
      </td>
    </tr>
  )
}

function Watches() {
  const { t } = useTranslation(['webhooks', 'common'])
  const mayWatch = useHasTier('enterprise')
  const query = useApiQuery(mayWatch ? '/account/explore/watches?limit=100' : null)
  const change = useApiMutation()
  if (!mayWatch) return null
  return (
    <Card title={t('watches.title')}>
      <QueryView
        query={query}
        skeletonLines={3}
        empty={
          <EmptyState
            title={t('watches.none')}
            hint={<Trans t={t} i18nKey="watches.hint" components={{ strong: <strong />, code: <code /> }} />}
          />
        }
      >
        {(watches) => (
          <DataTable
            label={t('watches.title')}
            head={[t('column.watched'), t('column.reference'), t('column.until')]}
            hasActions
          >
            {watches.map((watch) => (
              <tr key={watch.id}>
                <td>
                  <code>{watch.identifier ?? watch.variant_id}</code>
                  {watch.threshold_percent === null ? null : (
                    <div className="muted">{t('watches.threshold', { percent: watch.threshold_percent })}</div>
                  )}
                </td>
                <td data-label={t('column.reference')}>{watch.reference ?? '–'}</td>
                <td data-label={t('column.until')}>
                  {watch.until === null ? t('watches.noEnd') : formatDay(watch.until)}
                </td>
                <td className="row-actions">
                  <Button
                    aria-label={t('common:action.removeNamed', { name: watch.identifier ?? watch.variant_id })}
                    onClick={() => change.mutate(() => apiPost('/account/watches/remove', { id: watch.id }))}
                  >
                    {t('common:action.remove')}
                  </Button>
                </td>
              </tr>
            ))}
          </DataTable>
        )}
      </QueryView>
    </Card>
  )
}
