import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { EVENT_TYPES } from '../../../src/contract/event-types.ts'
import type { DeliveryWire, WebhookWire } from '../../../src/contract/webhooks.ts'
import { callApi } from '../../api.ts'
import { formatDay, formatRelativeTime, formatTime } from '../../format.ts'
import { useApiMutation, useOperation } from '../../queries.ts'
import { useHasTier, useSession } from '../../session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { ApiButton } from '../../ui/form.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState, ErrorMessage, QueryView } from '../../ui/states.tsx'
import { NewWebhookDialog, RemoveWebhookDialog, WebhookSecretDialog } from './webhook-dialogs.tsx'

export function WebhooksPage() {
  const { t } = useTranslation('webhooks')
  const webhooks = useOperation('GET /api/manage/webhooks', {})
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
            <WebhooksTable
              webhooks={endpoints}
              isOwner={isOwner}
              showDeliveries={setShown}
              showSecret={setSecret}
              remove={setRemoving}
            />
          )}
        </QueryView>
      </Card>
      {chosen ? <Deliveries key={chosen} webhookId={chosen} isOwner={isOwner} /> : null}
      <Watches />
      {isMaking ? <NewWebhookDialog close={() => setMaking(false)} show={setSecret} /> : null}
      {removing ? <RemoveWebhookDialog webhook={removing} close={() => setRemoving(undefined)} /> : null}
      {secret ? <WebhookSecretDialog secret={secret} close={() => setSecret(undefined)} /> : null}
    </>
  )
}

function WebhooksTable({
  webhooks,
  isOwner,
  showDeliveries,
  showSecret,
  remove,
}: {
  webhooks: readonly WebhookWire[]
  isOwner: boolean
  showDeliveries: (id: string) => void
  showSecret: (secret: string) => void
  remove: (webhook: WebhookWire) => void
}) {
  const { t } = useTranslation(['webhooks', 'common'])
  const rotate = async (id: string) => {
    const body = { overlap_hours: 24 }
    const { data } = await callApi('POST /api/manage/webhooks/{id}/rotate', { params: { id }, body })
    showSecret(data.secret ?? '')
  }
  const sendTest = async (id: string) => {
    await callApi('POST /api/manage/webhooks/{id}/test', { params: { id } })
    showDeliveries(id)
  }
  return (
    <DataTable
      label={t('webhooks')}
      rows={webhooks}
      rowKey={(webhook) => webhook.id}
      isMuted={(webhook) => webhook.disabled_at !== null}
      columns={[
        {
          title: t('column.url'),
          isRowName: true,
          cell: ({ id, url, created_at: at }) => (
            <>
              <code className="breakable">{url}</code>
              <div className="muted">{t('added', { id, day: formatDay(at) })}</div>
            </>
          ),
        },
        { title: t('column.events'), cell: ({ types }) => types.join(', ') || t('allEvents') },
        {
          title: t('column.status'),
          cell: ({ disabled_at: at, disabled_reason: reason }) => (
            <>
              <Badge tone={at ? 'bad' : 'good'}>{t(at ? 'disabled' : 'enabled')}</Badge>
              {reason ? <div className="muted">{reason}</div> : null}
            </>
          ),
        },
      ]}
      actions={(webhook) => (
        <div className="row-actions-wrap">
          <Button onClick={() => showDeliveries(webhook.id)}>{t('deliveries.title')}</Button>
          {isOwner ? (
            <>
              {webhook.disabled_at ? (
                <ApiButton
                  send={() =>
                    callApi('PATCH /api/manage/webhooks/{id}', { params: { id: webhook.id }, body: { enabled: true } })
                  }
                >
                  {t('enable')}
                </ApiButton>
              ) : (
                <ApiButton send={() => sendTest(webhook.id)}>{t('sendTest')}</ApiButton>
              )}
              <ApiButton send={() => rotate(webhook.id)}>{t('rotateSecret')}</ApiButton>
              <Button variant="danger" onClick={() => remove(webhook)}>
                {t('common:action.remove')}
              </Button>
            </>
          ) : null}
        </div>
      )}
    />
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
  const query = useOperation('GET /api/manage/webhooks/{id}/deliveries', {
    params: { id: webhookId },
    query: { state, type },
  })
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
            {(shown) => <DeliveriesTable deliveries={shown} webhookId={webhookId} isOwner={isOwner} />}
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
      const { data } = await callApi('POST /api/manage/webhooks/{id}/resend', {
        params: { id: webhookId },
        body: { from: new Date(from).toISOString(), to: new Date(to).toISOString(), only_failed: onlyFailed },
      })
      setReplayed(data.sent)
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
        <ErrorMessage error={change.error} />
        {replayed === undefined ? null : <p role="status">{t('replay.done', { count: replayed })}</p>}
      </div>
    </details>
  )
}

function DeliveriesTable({
  deliveries,
  webhookId,
  isOwner,
}: {
  deliveries: readonly DeliveryWire[]
  webhookId: string
  isOwner: boolean
}) {
  const { t } = useTranslation(['webhooks', 'common'])
  return (
    <DataTable
      label={t('deliveries.title')}
      rows={deliveries}
      rowKey={(delivery) => delivery.event_id}
      columns={[
        {
          title: t('column.event'),
          isRowName: true,
          cell: ({ event_id: id, payload }) => (
            <>
              <strong>{payload.type}</strong>
              <div className="muted" title={formatTime(payload.timestamp)}>
                {id} · {formatRelativeTime(payload.timestamp)}
              </div>
            </>
          ),
        },
        {
          title: t('column.status'),
          cell: ({ state, attempts }) => (
            <>
              <Badge tone={STATE_TONES[state]}>{t(`state.${state}`)}</Badge>
              <div className="muted">{t('deliveries.attempts', { count: attempts })}</div>
            </>
          ),
        },
        {
          title: t('column.response'),
          cell: ({ status, response }) => (
            <span>
              {status ?? (response ? '' : t('deliveries.noResponse'))} <span className="muted">{response}</span>
            </span>
          ),
        },
        {
          title: t('column.payload'),
          cell: ({ payload }) => (
            <details>
              <summary>{t('common:action.show')}</summary>
              <CodeBlock label="JSON" code={JSON.stringify(payload, null, 2)} />
            </details>
          ),
        },
      ]}
      actions={({ event_id: id }) =>
        isOwner ? (
          <ApiButton
            aria-label={t('replay.named', { id })}
            send={() =>
              callApi('POST /api/manage/webhooks/{id}/resend', {
                params: { id: webhookId },
                body: { event_id: id },
              })
            }
          >
            {t('replay.button')}
          </ApiButton>
        ) : null
      }
    />
  )
}

function Watches() {
  const { t } = useTranslation(['webhooks', 'common'])
  const mayWatch = useHasTier('enterprise')
  const query = useOperation('GET /api/watches', mayWatch ? { query: { limit: 100 } } : null)
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
            rows={watches}
            rowKey={(watch) => watch.id}
            columns={[
              {
                title: t('column.watched'),
                isRowName: true,
                cell: ({ identifier, variant_id: variant, threshold_percent: percent }) => (
                  <>
                    <code>{identifier ?? variant}</code>
                    {percent === null ? null : <div className="muted">{t('watches.threshold', { percent })}</div>}
                  </>
                ),
              },
              { title: t('column.reference'), cell: ({ reference }) => reference ?? '–' },
              {
                title: t('column.until'),
                cell: ({ until }) => (until === null ? t('watches.noEnd') : formatDay(until)),
              },
            ]}
            actions={(watch) => (
              <ApiButton
                aria-label={t('common:action.removeNamed', { name: watch.identifier ?? watch.variant_id })}
                send={() => callApi('DELETE /api/watches/{id}', { params: { id: watch.id } })}
              >
                {t('common:action.remove')}
              </ApiButton>
            )}
          />
        )}
      </QueryView>
    </Card>
  )
}
