import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { StockItemWire } from '../../../src/contract/stock.ts'
import { callApi } from '../../api.ts'
import { codeTexts } from '../../codes.ts'
import { formatAmount, formatCount, formatDay, minorUnitsPerUnit } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { pickParams, useFilters } from '../../search-params.ts'
import { useHasRole } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import { FilterSelect, SearchField, TextField } from '../../ui/field.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'

/** Devices that the shop bought: what they cost, what they should bring, where they are. */
export function StockPage() {
  const { t } = useTranslation('stock')
  const [query, change] = useFilters()
  const mayExport = useHasRole('manager')
  const filter = Object.fromEntries(pickParams(query, ['status', 'q']))
  const [changed, setChanged] = useState<StockItemWire | null>(null)
  const result = useOperation('GET /api/stock', { query: { ...filter, after: query.get('after') ?? undefined } })
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        {mayExport ? (
          <DownloadButton route="GET /api/stock" request={{ query: { ...filter, format: 'csv' } }}>
            {t('downloadCsv')}
          </DownloadButton>
        ) : null}
      </PageHeader>
      <div className="filters">
        <FilterSelect
          param="status"
          label={t('status')}
          all={t('all')}
          options={[
            ['in_stock', t('inStock')],
            ['sold', t('sold')],
          ]}
        />
        <SearchField
          label={t('search')}
          placeholder={t('search')}
          maxLength={100}
          value={query.get('q') ?? ''}
          onValueChange={(q) => change({ q, after: '' }, { replace: true })}
        />
      </div>
      <Card>
        <QueryView
          query={result}
          skeletonLines={6}
          empty={<EmptyState title={t('none')} hint={<Link to="/dashboard/counter">{t('appraiseDevice')}</Link>} />}
        >
          {(items, { meta }) => (
            <>
              <StockTable items={items} edit={setChanged} />
              {meta?.has_next && 'next_after' in meta ? (
                <Button onClick={() => change({ after: meta.next_after ?? '' })}>{t('older')}</Button>
              ) : null}
            </>
          )}
        </QueryView>
      </Card>
      {changed ? <StockItemDialog item={changed} close={() => setChanged(null)} /> : null}
    </>
  )
}

function StockTable({ items, edit }: { items: readonly StockItemWire[]; edit: (item: StockItemWire) => void }) {
  const { t } = useTranslation('stock')
  return (
    <DataTable
      label={t('title')}
      rows={items}
      rowKey={({ id }) => id}
      isMuted={({ status }) => status === 'sold'}
      columns={[
        { title: t('number'), className: 'number', cell: ({ number }) => formatCount(number) },
        {
          title: t('device'),
          cell: ({ id, device_name: name, grade, identifier }) => (
            <div>
              <Link to={`/dashboard/appraisals/${id}`}>{name ?? t('unknownDevice')}</Link>
              <span className="muted block">
                {[grade ? codeTexts().gradeName(grade) : '', identifier ?? ''].filter(Boolean).join(' · ')}
              </span>
            </div>
          ),
        },
        {
          title: t('bought'),
          cell: ({ bought, bought_by: by }) => (
            <div>
              {formatAmount(bought.price, bought.currency)}
              <span className="muted block">{t('on', { date: formatDay(bought.date), by: by?.name ?? '–' })}</span>
            </div>
          ),
        },
        { title: t('days'), className: 'number', cell: ({ days_in_stock: days }) => formatCount(days) },
        { title: t('location'), cell: ({ location }) => location ?? '–' },
        {
          title: t('asking'),
          className: 'number',
          cell: ({ sold, asking_price: asking, suggested_price: suggested, currency }) =>
            sold ? (
              t('soldFor', { amount: formatAmount(sold.price, sold.currency) })
            ) : (
              <div>
                {formatAmount(asking, currency)}
                {suggested === null ? null : (
                  <span className="muted block">{t('suggested', { amount: formatAmount(suggested, currency) })}</span>
                )}
              </div>
            ),
        },
      ]}
      actions={(item) => (
        <>
          {item.status === 'in_stock' ? (
            <Link className="button button-plain" to={`/dashboard/appraisals/${item.id}`}>
              {t('sell')}
            </Link>
          ) : null}
          <Button onClick={() => edit(item)}>{t('change')}</Button>
        </>
      )}
    />
  )
}

/** Changes the asking price and the location of an item. */
function StockItemDialog({ item, close }: { item: StockItemWire; close: () => void }) {
  const { t } = useTranslation('stock')
  const unit = minorUnitsPerUnit(item.currency)
  const [price, setPrice] = useState(item.asking_price === null ? '' : String(item.asking_price / unit))
  const [location, setLocation] = useState(item.location ?? '')
  const send = () =>
    callApi('PATCH /api/stock/{id}', {
      params: { id: item.id },
      body: {
        asking_price: price.trim() === '' ? null : Math.round(Number(price.replace(',', '.')) * unit),
        location: location.trim() || null,
      },
    })
  return (
    <FormDialog
      title={t('changeTitle', { number: item.number })}
      action={t('save')}
      send={send}
      onSent={close}
      close={close}
    >
      <TextField
        label={t('askingIn', { currency: item.currency })}
        inputMode="decimal"
        pattern="\d+([.,]\d+)?"
        autoComplete="off"
        value={price}
        onValueChange={setPrice}
      />
      <TextField
        label={t('location')}
        maxLength={100}
        autoComplete="off"
        value={location}
        onValueChange={setLocation}
      />
    </FormDialog>
  )
}
