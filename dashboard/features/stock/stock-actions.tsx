import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { STOCK_CHANGES_MAX, type StockItemWire } from '../../../src/contract/stock.ts'
import { callApi } from '../../api.ts'
import { errorText } from '../../error-text.ts'
import { formatAmount } from '../../format.ts'
import { printPage } from '../../print-page.ts'
import { useApiMutation, useOperation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { LabelsToPrint } from './label.tsx'

type ItemChange = {
  readonly asking_price?: number
  readonly location?: string | null
  readonly reserved_for?: string | null
}

const REPRICED_AT_ONCE = '100'

/** Changes several items; resolves to what was rejected, in the language of the page. */
async function changeItems(items: readonly StockItemWire[], changeOf: (item: StockItemWire) => ItemChange) {
  const rejected: string[] = []
  for (let from = 0; from < items.length; from += STOCK_CHANGES_MAX) {
    const part = items.slice(from, from + STOCK_CHANGES_MAX)
    const body = { items: part.map((item) => ({ id: item.id, ...changeOf(item) })) }
    const { data } = await callApi('PATCH /api/stock', { body })
    for (const each of data)
      if (!each.success) rejected.push(`${part[each.index]?.device_name ?? ''}: ${errorText(each.error)}`)
  }
  return rejected
}

const Rejected = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text) => (
    <p key={text} className="field-error" role="alert">
      {text}
    </p>
  ))

/** Devices whose price should change today, with the reason, and one button for all. */
export function RepriceCard() {
  const { t } = useTranslation('stock')
  const found = useOperation('GET /api/stock', { query: { reprice: 'true', limit: REPRICED_AT_ONCE } })
  const items = (found.data?.data ?? []).filter(({ reprice }) => reprice !== null)
  const saving = useApiMutation()
  const [rejected, setRejected] = useState<readonly string[]>([])
  if (items.length === 0) return null
  return (
    <Card
      title={t('reprice.title', { count: items.length })}
      note={t('reprice.note')}
      action={
        <Button
          variant="primary"
          isBusy={saving.isPending}
          onClick={() =>
            saving.mutate(async () =>
              setRejected(await changeItems(items, ({ reprice }) => (reprice ? { asking_price: reprice.to } : {}))),
            )
          }
        >
          {t('reprice.all', { count: items.length })}
        </Button>
      }
    >
      <ErrorMessage error={saving.error} />
      <Rejected texts={rejected} />
      <details>
        <summary>{t('reprice.show')}</summary>
        <DataTable
          label={t('reprice.title', { count: items.length })}
          className="one-line two-lines"
          rows={items}
          rowKey={({ id }) => id}
          columns={[
            { title: t('device'), className: 'cut phone-name', isRowName: true, cell: (item) => item.device_name },
            {
              title: t('reprice.from'),
              className: 'number',
              cell: ({ asking_price: asking, currency }) => formatAmount(asking, currency),
            },
            {
              title: t('reprice.to'),
              className: 'number phone-amount',
              cell: ({ reprice, currency }) => formatAmount(reprice?.to ?? null, currency),
            },
            {
              title: t('reprice.why'),
              className: 'phone-about',
              cell: ({ reprice, days_in_stock: days }) =>
                reprice ? t(`reprice.reason.${reprice.reason}`, { days }) : '',
            },
          ]}
        />
      </details>
    </Card>
  )
}

/** What can be done with the chosen devices. */
export function BulkActions({ items, clear }: { items: readonly StockItemWire[]; clear: () => void }) {
  const { t } = useTranslation('stock')
  const [dialog, setDialog] = useState<'location' | 'reserved_for' | null>(null)
  const [rejected, setRejected] = useState<readonly string[]>([])
  const details = useOperation('GET /api/manage/settings', {}).data?.data.receipt
  const saving = useApiMutation()
  const priced = items.filter(({ reprice }) => reprice !== null)
  const change = (changeOf: (item: StockItemWire) => ItemChange, of = items) =>
    saving.mutate(async () => finish(await changeItems(of, changeOf)))
  const finish = (texts: readonly string[]) => {
    setRejected(texts)
    if (texts.length === 0) clear()
  }
  return (
    <section className="bulk" aria-label={t('bulk.label', { count: items.length })}>
      <strong>{t('bulk.label', { count: items.length })}</strong>
      <span className="actions">
        {priced.length > 0 ? (
          <Button
            isBusy={saving.isPending}
            onClick={() => change(({ reprice }) => (reprice ? { asking_price: reprice.to } : {}), priced)}
          >
            {t('bulk.price', { count: priced.length })}
          </Button>
        ) : null}
        <Button onClick={() => setDialog('location')}>{t('bulk.location')}</Button>
        {items.some(({ reserved_for: reserved }) => reserved !== null) ? (
          <Button isBusy={saving.isPending} onClick={() => change(() => ({ reserved_for: null }))}>
            {t('bulk.free')}
          </Button>
        ) : (
          <Button onClick={() => setDialog('reserved_for')}>{t('bulk.reserve')}</Button>
        )}
        {details?.label ? <Button onClick={() => void printPage('label')}>{t('bulk.labels')}</Button> : null}
        <Button variant="link" onClick={clear}>
          {t('bulk.clear')}
        </Button>
      </span>
      <ErrorMessage error={saving.error} />
      {dialog ? (
        <TextDialog
          title={t(dialog === 'location' ? 'bulk.location' : 'bulk.reserve')}
          label={t(dialog === 'location' ? 'location' : 'reservedFor')}
          isRequired={dialog === 'reserved_for'}
          send={async (text) => finish(await changeItems(items, () => ({ [dialog]: text || null })))}
          close={() => setDialog(null)}
        />
      ) : null}
      <Rejected texts={rejected} />
      {details?.label ? <LabelsToPrint items={items} size={details.label} /> : null}
    </section>
  )
}

function TextDialog({
  title,
  label,
  isRequired,
  send,
  close,
}: {
  title: string
  label: string
  isRequired: boolean
  send: (text: string) => Promise<void>
  close: () => void
}) {
  const { t } = useTranslation('stock')
  const [text, setText] = useState('')
  return (
    <FormDialog title={title} action={t('save')} send={() => send(text.trim())} close={close}>
      <TextField label={label} required={isRequired} maxLength={100} value={text} onValueChange={setText} />
    </FormDialog>
  )
}
