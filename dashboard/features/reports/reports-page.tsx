import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import {
  type DealReportWire,
  MIN_SALES_TO_JUDGE,
  REPORT_GROUPS,
  type ReportGroup,
} from '../../../src/contract/deal-report.ts'
import { parseCsv } from '../../../src/import/read/csv-reader.ts'
import { csvStyleOf } from '../../../src/lib/csv-writer.ts'
import { addDays, dayOf } from '../../../src/lib/time.ts'
import { fetchFile } from '../../api.ts'
import type { ApiRequest } from '../../endpoint-types.ts'
import {
  formatAmount,
  formatCount,
  formatDay,
  formatExactAmount,
  formatPercent,
  formatShortAmount,
  formatShortMonth,
} from '../../format.ts'
import { currentLanguage } from '../../i18n.ts'
import { localDay } from '../../local-day.ts'
import { useApiMutation, useOperation } from '../../queries.ts'
import { useFilters } from '../../search-params.ts'
import { useHasTier, useSession } from '../../session.tsx'
import { downloadXlsx } from '../../spreadsheet.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ForecastPoints, MonthBars } from '../../ui/charts/lazy-charts.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import { FilterSelect, SegmentedControl } from '../../ui/field.tsx'
import { Card, Fact, PageHeader } from '../../ui/page.tsx'
import { EmptyState, ErrorMessage, QueryView } from '../../ui/states.tsx'

/** In months, or a period of its own. */
const SPANS = ['1', '3', '12', '36', 'own'] as const
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** First day of the month so many months before the current one. */
function firstDay(months: number, today: string): string {
  const [year = 0, month = 0] = today.split('-').map(Number)
  return dayOf(Date.UTC(year, month - months, 1))
}

export function ReportsPage() {
  const { t } = useTranslation('reports')
  const [query, change] = useFilters()
  const { sees_margins: seesMargins } = useSession()
  const mayReport = useHasTier('paid') && seesMargins
  const span = SPANS.find((each) => each === query.get('months')) ?? '12'
  const by = REPORT_GROUPS.find((each) => each === query.get('by')) ?? 'employee'
  const employee = query.get('employee') ?? ''
  const today = localDay()
  const dayParam = (name: string, otherwise: string) => (DAY.test(query.get(name) ?? '') ? query.get(name) : otherwise)
  const period =
    span === 'own'
      ? { from: dayParam('from', firstDay(1, today)), to: dayParam('to', today) }
      : { from: firstDay(Number(span), today), to: addDays(today, 1) }
  const filter = { ...period, ...(employee ? { employee } : {}) }
  const report = useOperation(
    'GET /api/reports/deals',
    mayReport ? { query: { ...filter, by, compare: 'previous_year' } } : null,
  )
  // Everyone who recorded deals, not only the person chosen.
  const people = useOperation('GET /api/reports/deals', mayReport ? { query: { ...period, by: 'employee' } } : null)
  const csv: ApiRequest<'GET /api/reports/deals'> = {
    query: { ...filter, format: 'csv', language: currentLanguage() },
  }
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        {mayReport ? (
          <>
            <DownloadButton route="GET /api/reports/deals" request={csv}>
              {t('csv')}
            </DownloadButton>
            <ExcelButton request={csv} />
          </>
        ) : null}
      </PageHeader>
      {mayReport ? (
        <>
          <div className="filters">
            <FilterSelect
              param="months"
              value={span}
              label={t('period')}
              options={SPANS.map((months) => [months, t(`span.${months}`)] as const)}
            />
            {span === 'own'
              ? (['from', 'to'] as const).map((name) => (
                  <input
                    key={name}
                    type="date"
                    aria-label={t(`day.${name}`)}
                    value={period[name] ?? ''}
                    max={addDays(today, 1)}
                    onChange={(event) => change({ [name]: event.target.value }, { replace: true })}
                  />
                ))
              : null}
            <FilterSelect
              param="employee"
              label={t('employee')}
              all={t('everyone')}
              options={(people.data?.data.groups ?? []).flatMap(({ key, name }) =>
                key === null ? [] : [[key, name || t('unnamed')] as const],
              )}
            />
          </div>
          <QueryView query={report} skeletonLines={10}>
            {(data) => (
              <Report report={data} by={by} chooseGroup={(group) => change({ by: group }, { replace: true })} />
            )}
          </QueryView>
        </>
      ) : (
        <EmptyState title={t('needsPaid')} />
      )}
    </>
  )
}

function ExcelButton({ request }: { request: ApiRequest<'GET /api/reports/deals'> }) {
  const { t } = useTranslation('reports')
  const download = useApiMutation()
  const saveExcel = async () => {
    const file = await fetchFile('GET /api/reports/deals', request)
    const text = (await file.text()).replace(/^\uFEFF/, '')
    const { delimiter, decimal } = csvStyleOf(currentLanguage())
    const [header = [], ...rows] = parseCsv(text, delimiter)
    const toCell = (cell: string) =>
      /^-?\d+([.,]\d+)?$/.test(cell) ? Number(cell.replace(decimal, '.')) : cell || null
    const cells = rows.map((row) => row.map(toCell))
    await downloadXlsx([[...header], ...cells], 'deals.xlsx')
  }
  return (
    <>
      <Button isBusy={download.isPending} onClick={() => download.mutate(saveExcel)}>
        {t('excel')}
      </Button>
      <ErrorMessage error={download.error} />
    </>
  )
}

function Report({
  report,
  by,
  chooseGroup,
}: {
  report: DealReportWire
  by: ReportGroup
  chooseGroup: (by: ReportGroup) => void
}) {
  const { t } = useTranslation('reports')
  const { totals, in_stock: stock, currency, exchange_rates: rates, previous_year: before } = report
  const { margin_percent: margin, median_days_held: days } = totals.sold
  const money = (amount: number) => formatAmount(amount, currency)
  if (totals.bought.count + totals.sold.count + totals.declined.count === 0) {
    return (
      <Card>
        <EmptyState
          title={t('none')}
          hint={<Trans t={t} i18nKey="noneHint" components={{ to: <Link to="/dashboard/appraisals" /> }} />}
        />
      </Card>
    )
  }
  return (
    <>
      <dl className="figures">
        <Fact
          name={t('name.bought')}
          note={withYear(t('devices', { count: totals.bought.count }), totals.bought.amount, before?.bought.amount, t)}
        >
          {money(totals.bought.amount)}
        </Fact>
        <Fact
          name={t('name.sold')}
          note={withYear(t('devices', { count: totals.sold.count }), totals.sold.amount, before?.sold.amount, t)}
        >
          {money(totals.sold.amount)}
        </Fact>
        <Fact
          name={t('name.margin')}
          note={
            margin === null
              ? t('noSales')
              : withYear(t('marginNote', { percent: formatCount(margin) }), totals.sold.profit, before?.sold.profit, t)
          }
        >
          {money(totals.sold.profit)}
        </Fact>
        <Fact name={t('name.daysHeld')} note={t('medianNote')}>
          {days === null ? '–' : formatCount(days)}
        </Fact>
        <Fact name={t('name.stock')} note={t('devicesToday', { count: stock.count })}>
          {money(stock.amount)}
        </Fact>
        <Fact
          name={t('name.declined')}
          note={t('declinedNote', { customers: totals.declined.by_customer, shop: totals.declined.by_shop })}
        >
          {formatCount(totals.declined.count)}
        </Fact>
      </dl>
      {rates.length > 0 ? (
        <p className="banner">
          {t('converted', { currencies: rates.map((rate) => rate.currency).join(', '), currency })}
        </p>
      ) : null}
      <Months report={report} />
      <Groups report={report} by={by} choose={chooseGroup} />
      <Ageing report={report} />
      <Forecasts report={report} />
    </>
  )
}

/** The note with the change against the same days of the year before, if there were any deals. */
function withYear(note: string, now: number, before: number | undefined, t: TFunction<'reports'>): string {
  if (!before || before <= 0) return note
  const percent = formatPercent(Math.abs(now / before - 1))
  return t(now >= before ? 'yearUp' : 'yearDown', { note, percent })
}

/** Deals by employee, device or channel. */
function Groups({
  report: { groups, currency },
  by,
  choose,
}: {
  report: DealReportWire
  by: ReportGroup
  choose: (by: ReportGroup) => void
}) {
  const { t } = useTranslation('reports')
  const money = (amount: number) => formatAmount(amount, currency)
  const hasPurchases = by !== 'channel'
  const purchaseColumns: Column<DealReportWire['groups'][number]>[] = [
    { title: t('name.bought'), className: 'number', cell: ({ bought }) => formatCount(bought.count) },
    { title: t('name.paid'), className: 'number', cell: ({ bought }) => money(bought.amount) },
  ]
  return (
    <Card
      title={t('groups.title')}
      action={
        <SegmentedControl
          label={t('groups.title')}
          options={REPORT_GROUPS.map((value) => ({ value, text: t(`groups.${value}`) }))}
          chosen={by}
          choose={choose}
        />
      }
    >
      {groups.length === 0 ? (
        <p className="muted">{t('noSales')}</p>
      ) : (
        <DataTable
          label={t('groups.title')}
          rows={groups}
          rowKey={({ key }) => key ?? ''}
          columns={[
            {
              title: t(`groups.${by}`),
              isRowName: true,
              cell: ({ key, name }) => {
                const text = name || (key === null ? t('groups.unknown') : t('unnamed'))
                return by === 'device' && key !== null ? (
                  <Link to={`/dashboard/devices/${key}`}>{name || key}</Link>
                ) : (
                  text
                )
              },
            },
            ...(hasPurchases ? purchaseColumns : []),
            { title: t('name.sold'), className: 'number', cell: ({ sold }) => formatCount(sold.count) },
            { title: t('name.received'), className: 'number', cell: ({ sold }) => money(sold.amount) },
            { title: t('name.margin'), className: 'number', cell: ({ sold }) => money(sold.profit) },
            {
              title: t('name.marginPercent'),
              className: 'number',
              cell: ({ sold: { margin_percent: percent } }) => (percent === null ? '–' : `${formatCount(percent)} %`),
            },
            {
              title: t('name.daysHeld'),
              className: 'number',
              cell: ({ sold: { median_days_held: days } }) => (days === null ? '–' : formatCount(days)),
            },
          ]}
        />
      )}
    </Card>
  )
}

/** How long the devices in stock have been there, and what they should bring. */
function Ageing({ report: { ageing, in_stock: stock, currency } }: { report: DealReportWire }) {
  const { t } = useTranslation('reports')
  const money = (amount: number) => formatAmount(amount, currency)
  if (stock.count === 0) return null
  const most = Math.max(1, ...ageing.map(({ amount }) => amount))
  return (
    <Card title={t('ageing.title')} note={t('ageing.note')}>
      <DataTable
        label={t('ageing.title')}
        rows={ageing}
        rowKey={({ min_days: days }) => days}
        columns={[
          {
            title: t('ageing.age'),
            isRowName: true,
            className: 'nowrap',
            cell: ({ min_days: min, max_days: max }) =>
              max === null ? t('ageing.over', { days: min - 1 }) : t('ageing.between', { min, max }),
          },
          { title: t('ageing.devices'), className: 'number', cell: ({ count }) => formatCount(count) },
          {
            title: t('name.paid'),
            className: 'ageing-amount',
            cell: ({ amount, min_days: min }) => (
              <>
                <span className="ageing-sum">{money(amount)}</span>
                <span className="ageing-track" aria-hidden="true">
                  <span
                    className={min > 60 ? 'ageing-bar ageing-old' : 'ageing-bar'}
                    style={{ inlineSize: `${(100 * amount) / most}%` }}
                  />
                </span>
              </>
            ),
          },
          {
            title: t('ageing.expected'),
            className: 'number',
            cell: ({ count, expected_profit: profit }) => (count === 0 ? '–' : money(profit)),
          },
        ]}
      />
    </Card>
  )
}

const monthName = (month: string) => formatShortMonth(`${month}-01`)

function Months({ report: { months, currency } }: { report: DealReportWire }) {
  const { t } = useTranslation('reports')
  const money = (amount: number) => formatExactAmount(amount, currency)
  const short = (amount: number) => formatShortAmount(amount, currency)
  const withDeals = months
    .filter(({ bought, sold, declined }) => bought.count + sold.count + declined.count > 0)
    .toReversed()
  return (
    <Card title={t('months.title')} note={t('months.note', { currency })}>
      <MonthBars
        label={t('months.chart')}
        monthTitle={t('name.month')}
        months={months.map(({ month }) => monthName(month))}
        format={money}
        formatShort={short}
        series={[
          { name: t('name.paid'), values: months.map(({ bought }) => bought.amount), colour: 0 },
          { name: t('name.received'), values: months.map(({ sold }) => sold.amount), colour: 2 },
          { name: t('name.margin'), values: months.map(({ sold }) => sold.profit), colour: 4 },
        ]}
      />
      <div className="cards-of-pairs">
        <DataTable
          label={t('months.table')}
          rows={withDeals}
          rowKey={({ month }) => month}
          columns={[
            { title: t('name.month'), className: 'nowrap', cell: ({ month }) => monthName(month) },
            { title: t('name.bought'), className: 'number', cell: ({ bought }) => formatCount(bought.count) },
            { title: t('name.paid'), className: 'number', cell: ({ bought }) => money(bought.amount) },
            { title: t('name.sold'), className: 'number', cell: ({ sold }) => formatCount(sold.count) },
            { title: t('name.received'), className: 'number', cell: ({ sold }) => money(sold.amount) },
            { title: t('name.margin'), className: 'number', cell: ({ sold }) => money(sold.profit) },
            {
              title: t('name.marginPercent'),
              className: 'number',
              cell: ({ sold: { margin_percent: percent } }) => (percent === null ? '–' : `${formatCount(percent)} %`),
            },
            {
              title: t('name.daysHeld'),
              className: 'number',
              cell: ({ sold: { median_days_held: days } }) => (days === null ? '–' : formatCount(days)),
            },
            { title: t('name.declined'), className: 'number', cell: ({ declined }) => formatCount(declined.count) },
          ]}
        />
      </div>
    </Card>
  )
}

function Forecasts({ report: { forecast, currency } }: { report: DealReportWire }) {
  const { t } = useTranslation('reports')
  const { offers, sales, range, losses, points, excluded } = forecast
  const money = (amount: number) => formatAmount(amount, currency)
  const short = (amount: number) => formatShortAmount(amount, currency)
  const devices = useOperation('GET /api/appraisals/devices', {}).data?.data ?? []
  const deviceNames = new Map(devices.map((device) => [device.device_id, device.device_name]))
  return (
    <Card title={t('forecast.title')} note={t('forecast.note')}>
      <div className="forecast-questions">
        <Verdict
          title={t('offers.title')}
          tone="plain"
          verdict={
            offers.deals === 0 ? t('offers.none') : differenceText(offers.median_difference_percent, 'offers', t)
          }
        >
          {offers.deals === 0
            ? null
            : t('offers.detail', {
                count: offers.deals,
                paid: money(offers.paid),
                recommended: money(offers.recommended),
                above: offers.above_offer,
              })}
        </Verdict>
        <Verdict
          title={t('price.title')}
          tone="plain"
          verdict={sales.sales === 0 ? t('price.none') : differenceText(sales.median_error_percent, 'price', t)}
        >
          {sales.sales === 0
            ? null
            : t('price.detail', {
                count: sales.sales,
                sold: money(sales.sold),
                forecast: money(sales.forecast),
                error: formatCount(sales.median_absolute_error_percent ?? 0),
              })}
        </Verdict>
        <Verdict
          title={t('range.title')}
          tone={range.verdict === 'as_forecast' ? 'good' : range.verdict === 'too_few' ? 'plain' : 'warn'}
          verdict={
            range.verdict === 'too_few'
              ? t('tooFew', { sales: t('sales', { count: range.sales }) })
              : t('range.verdict', { percent: formatPercent(range.share ?? 0) })
          }
          meter={range.sales > 0 ? { share: range.share ?? 0, mark: range.expected_share } : undefined}
        >
          {range.sales === 0
            ? null
            : [
                t('range.detail', {
                  inside: range.inside,
                  total: range.sales,
                  below: range.below,
                  above: range.above,
                }),
                ...(range.verdict === 'too_few'
                  ? [t('range.needs', { minimum: MIN_SALES_TO_JUDGE })]
                  : [
                      t('range.chance', { low: range.expected_low, high: range.expected_high }),
                      t(`rangeVerdict.${range.verdict}`),
                    ]),
              ].join(' ')}
        </Verdict>
        <Verdict
          title={t('losses.title')}
          tone={losses.verdict === 'more_losses' ? 'warn' : losses.verdict === 'too_few' ? 'plain' : 'good'}
          verdict={
            losses.verdict === 'too_few'
              ? t('tooFew', { sales: t('sales', { count: losses.sales }) })
              : t('losses.verdict', { lost: losses.lost, total: losses.sales, expected: formatCount(losses.expected) })
          }
          meter={
            losses.sales > 0 ? { share: losses.lost / losses.sales, mark: losses.expected / losses.sales } : undefined
          }
        >
          {losses.sales === 0
            ? null
            : t('losses.detail', {
                lost: losses.lost,
                belowCost: losses.below_cost,
                expected: formatCount(losses.expected),
                low: losses.expected_low,
                high: losses.expected_high,
              })}
        </Verdict>
      </div>
      {points.length > 0 ? (
        <ForecastPoints
          label={t('forecast.chart', { count: points.length })}
          format={money}
          formatShort={short}
          texts={{
            inside: t('chart.inside'),
            outside: t('chart.outside'),
            hint: t('chart.hint'),
            device: t('chart.device'),
            forecast: t('chart.forecast'),
            range: t('chart.range'),
            sold: t('chart.sold'),
          }}
          points={points.map((point) => ({
            key: point.appraisal_id,
            name: t('forecast.point', {
              device: deviceNames.get(point.device_id ?? '') ?? point.device_id ?? t('forecast.unknownDevice'),
              date: formatDay(point.date),
            }),
            forecast: point.forecast,
            low: point.low,
            high: point.high,
            sold: point.sold,
          }))}
        />
      ) : null}
      {excluded.sample + excluded.no_forecast > 0 ? (
        <p className="note">
          {t('forecast.leftOut', {
            deals: t('deals', { count: excluded.sample }),
            sales: t('sales', { count: excluded.no_forecast }),
          })}
        </p>
      ) : null}
    </Card>
  )
}

function differenceText(percent: number | null, subject: 'offers' | 'price', t: TFunction<'reports'>): string {
  if (percent === null) return '–'
  if (percent === 0) return t(`difference.${subject}.same`)
  return t(`difference.${subject}.${percent > 0 ? 'more' : 'less'}`, { percent: formatCount(Math.abs(percent)) })
}

function Verdict({
  title,
  verdict,
  tone,
  meter,
  children,
}: {
  title: string
  verdict: string
  tone: Tone
  /** Observed share, and the share that was forecast. */
  meter?: { readonly share: number; readonly mark: number } | undefined
  children: ReactNode
}) {
  const percent = (share: number) => `${Math.min(100, Math.max(0, 100 * share))}%`
  return (
    <section className="forecast-question">
      <h3>{title}</h3>
      <p>
        <Badge tone={tone}>{verdict}</Badge>
      </p>
      {meter ? (
        <div className="forecast-meter" aria-hidden="true">
          <span className={`forecast-bar forecast-${tone}`} style={{ inlineSize: percent(meter.share) }} />
          <span className="forecast-mark" style={{ insetInlineStart: percent(meter.mark) }} />
        </div>
      ) : null}
      {children ? <p className="muted">{children}</p> : null}
    </section>
  )
}
