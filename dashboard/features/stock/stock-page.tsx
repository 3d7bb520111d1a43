import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { StockItemWire } from '../../../src/contract/stock.ts'
import { formatAmount, formatCount, formatDay } from '../../format.ts'
import { currentLanguage } from '../../i18n.ts'
import { useOperation } from '../../queries.ts'
import { useKeyboardScan } from '../../scan/keyboard-scan.ts'
import { pickParams, useFilters } from '../../search-params.ts'
import { useHasRole } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Blank, DataTable } from '../../ui/data-table.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import { EmailText } from '../../ui/email-text.tsx'
import { FilterSelect, SearchField } from '../../ui/field.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { conditionText } from './condition-text.ts'
import { SellDialog } from './stock-item-page.tsx'

/** Bought devices: what they cost, what they should bring, where they are. */
export function StockPage() {
  const { t } = useTranslation('stock')
  const [query, change] = useFilters()
  const mayExport = useHasRole('manager')
  useKeyboardScan({ onScan: (q) => change({ q, after: '' }, { replace: true }) })
  const filter = Object.fromEntries(pickParams(query, ['status', 'q']))
  const [sold, setSold] = useState<StockItemWire | null>(null)
  const result = useOperation('GET /api/stock', { query: { ...filter, after: query.get('after') ?? undefined } })
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        {mayExport ? (
          <DownloadButton
            route="GET /api/stock"
            request={{ query: { ...filter, format: 'csv', language: currentLanguage() } }}
          >
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
          className="stock-search"
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
          empty={
            <EmptyState
              title={t(Object.keys(filter).length > 0 ? 'noMatch' : 'none')}
              hint={<Link to="/dashboard/counter">{t('appraiseDevice')}</Link>}
            />
          }
        >
          {(items, { meta }) => (
            <>
              <div className="cards-of-pairs">
                <StockTable items={items} sell={setSold} />
              </div>
              {meta?.has_next && 'next_after' in meta ? (
                <Button onClick={() => change({ after: meta.next_after ?? '' })}>{t('older')}</Button>
              ) : null}
            </>
          )}
        </QueryView>
      </Card>
      {sold ? <SellDialog item={sold} close={() => setSold(null)} /> : null}
    </>
  )
}

function StockTable({ items, sell }: { items: readonly StockItemWire[]; sell: (item: StockItemWire) => void }) {
  const { t } = useTranslation('stock')
  return (
    <DataTable
      label={t('title')}
      className="one-line"
      rows={items}
      rowKey={({ id }) => id}
      isMuted={({ status }) => status === 'sold'}
      columns={[
        {
          title: t('device'),
          className: 'cut',
          isRowName: true,
          cell: ({ id, device_name: name }) => (
            <Link to={`/dashboard/stock/${id}`} title={name}>
              {name || t('unknownDevice')}
            </Link>
          ),
        },
        { title: t('number'), className: 'number', cell: ({ number }) => formatCount(number) },
        {
          title: t('grade'),
          className: 'desk-only',
          cell: (item) =>
            item.defects.length > 0 ? (
              <span title={conditionText(item)}>
                <Badge tone="warn">{t('faultyShort')}</Badge>
              </span>
            ) : (
              conditionText(item) || <Blank />
            ),
        },
        { title: t('identifier'), className: 'wide-only', cell: ({ identifier }) => identifier ?? <Blank /> },
        {
          title: t('cost'),
          className: 'number',
          cell: ({ bought, total_cost: total, currency }) => formatAmount(total ?? bought.price, currency),
        },
        {
          title: t('boughtBy'),
          className: 'cut roomy-only',
          cell: ({ bought, bought_by: by }) => (
            <span title={formatDay(bought.date)}>
              <EmailText>{by.name}</EmailText>
            </span>
          ),
        },
        { title: t('days'), className: 'number', cell: ({ days_in_stock: days }) => formatCount(days) },
        { title: t('location'), className: 'desk-only', cell: ({ location }) => location ?? <Blank /> },
        {
          title: t('asking'),
          className: 'number',
          cell: ({ sold, asking_price: asking, currency }) =>
            sold ? (
              t('soldFor', { amount: formatAmount(sold.price, sold.currency) })
            ) : asking === null ? (
              <Blank />
            ) : (
              formatAmount(asking, currency)
            ),
        },
        {
          title: t('suggestion'),
          className: 'number desk-only',
          cell: ({ sold, suggested_price: suggested, currency }) =>
            sold ? '' : formatAmount(suggested, currency, true),
        },
      ]}
      actions={(item) => (item.status === 'in_stock' ? <Button onClick={() => sell(item)}>{t('sell')}</Button> : null)}
    />
  )
}
