import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { STOCK_LAYOUTS, type StockItemWire, type StockLayout } from '../../../src/contract/stock.ts'
import { formatAmount, formatCount, formatDay, formatPercent } from '../../format.ts'
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
import { FilterSelect, SearchField, Select } from '../../ui/field.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { conditionText } from './condition-text.ts'
import { BulkActions, RepriceCard } from './stock-actions.tsx'
import { SellDialog } from './stock-item-page.tsx'

/** Names of the systems whose columns a file may have. */
const LAYOUT_NAMES: Readonly<Record<StockLayout, string>> = {
  ebay: 'eBay',
  back_market: 'Back Market',
  shopify: 'Shopify',
}

/** Bought devices: what they cost, what they should bring, where they are. */
export function StockPage() {
  const { t } = useTranslation('stock')
  const [query, change] = useFilters()
  const mayExport = useHasRole('manager')
  useKeyboardScan({ onScan: (q) => change({ q, after: '' }, { replace: true }) })
  const filter = Object.fromEntries(pickParams(query, ['status', 'q']))
  const [sold, setSold] = useState<StockItemWire | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [layout, setLayout] = useState<StockLayout | ''>('')
  const result = useOperation('GET /api/stock', { query: { ...filter, after: query.get('after') ?? undefined } })
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        {mayExport ? (
          <>
            <Select
              aria-label={t('layout.label')}
              value={layout}
              options={[['', t('layout.own')], ...STOCK_LAYOUTS.map((each) => [each, LAYOUT_NAMES[each]] as const)]}
              onValueChange={setLayout}
            />
            <DownloadButton
              route="GET /api/stock"
              request={{
                query: { ...filter, format: 'csv', language: currentLanguage(), layout: layout || undefined },
              }}
            >
              {t('downloadCsv')}
            </DownloadButton>
          </>
        ) : null}
      </PageHeader>
      <div className="filters">
        <FilterSelect
          param="status"
          label={t('status')}
          all={t('all')}
          options={[
            ['in_stock', t('inStock')],
            ['reserved', t('reserved')],
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
      <RepriceCard />
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
              {chosen.size > 0 ? (
                <BulkActions items={items.filter(({ id }) => chosen.has(id))} clear={() => setChosen(new Set())} />
              ) : null}
              <StockTable items={items} sell={setSold} chosen={chosen} choose={setChosen} />
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

function StockTable({
  items,
  sell,
  chosen,
  choose,
}: {
  items: readonly StockItemWire[]
  sell: (item: StockItemWire) => void
  chosen: ReadonlySet<string>
  choose: (ids: ReadonlySet<string>) => void
}) {
  const { t } = useTranslation('stock')
  const press = (id: string) =>
    choose(chosen.has(id) ? new Set([...chosen].filter((other) => other !== id)) : new Set(chosen).add(id))
  return (
    <DataTable
      label={t('title')}
      className="one-line two-lines"
      rows={items}
      rowKey={({ id }) => id}
      isMuted={({ status }) => status === 'sold'}
      columns={[
        {
          title: t('bulk.choose'),
          className: 'choose',
          cell: ({ id, number, status }) =>
            status === 'in_stock' ? (
              <label className="choose-box">
                <span className="visually-hidden">{t('bulk.chooseItem', { number })}</span>
                <input type="checkbox" checked={chosen.has(id)} onChange={() => press(id)} />
              </label>
            ) : null,
        },
        {
          title: t('device'),
          className: 'cut phone-name',
          isRowName: true,
          cell: ({ id, device_name: name }) => (
            <Link to={`/dashboard/stock/${id}`} title={name}>
              {name || t('unknownDevice')}
            </Link>
          ),
        },
        {
          title: t('status'),
          className: 'phone-about phone-only',
          cell: (item) =>
            [
              `#${item.number}`,
              item.reserved_for === null ? '' : t('reservedForWhom', { name: item.reserved_for }),
              conditionText(item),
              t('daysCount', { count: item.days_in_stock }),
              item.location,
            ]
              .filter(Boolean)
              .join(' · '),
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
          className: 'cut wide-only',
          cell: ({ bought, bought_by: by }) => (
            <span title={formatDay(bought.date)}>
              <EmailText>{by.name}</EmailText>
            </span>
          ),
        },
        { title: t('days'), className: 'number', cell: ({ days_in_stock: days }) => formatCount(days) },
        {
          title: t('location'),
          className: 'cut short desk-only',
          cell: ({ location, reserved_for: reserved }) =>
            reserved === null ? (
              (location ?? <Blank />)
            ) : (
              <span title={t('reservedForWhom', { name: reserved })}>
                <Badge tone="blue">{t('reserved')}</Badge> {location}
              </span>
            ),
        },
        {
          title: t('asking'),
          className: 'number phone-amount',
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
          title: t('market'),
          className: 'number desk-only',
          cell: ({ sold, market_price: market, suggested_price: suggested, currency }) =>
            sold ? '' : formatAmount(market?.amount ?? suggested, currency, true),
        },
        {
          title: t('chance'),
          className: 'number desk-only',
          cell: ({ chance_to_sell: chance }) => (chance === null ? <Blank /> : formatPercent(chance / 100)),
        },
      ]}
      actions={(item) => (item.status === 'in_stock' ? <Button onClick={() => sell(item)}>{t('sell')}</Button> : null)}
    />
  )
}
