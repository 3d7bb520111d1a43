import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { type DealReportWire, MIN_SALES_TO_JUDGE } from '../../../src/contract/deal-report.ts'
import { parseCsv } from '../../../src/import/read/csv-reader.ts'
import { addDays, dayOf } from '../../../src/lib/time.ts'
import { formatAmount, formatCount, formatDay, formatShortCount, minorUnitsPerUnit, pluralize } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { useFilters } from '../../search-params.ts'
import { useHasTier, useSession } from '../../session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ForecastPoints, MonthBars } from '../../ui/charts/lazy-charts.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { TableScroll } from '../../ui/table-scroll.tsx'
import { downloadXlsx } from '../appraise-list/list-results.tsx'

const SPANS = { '1': 'This month', '3': '3 months', '12': '12 months', '36': '3 years' } as const
type Span = keyof typeof SPANS

/** First day of the month so many months before the current one. */
function firstDay(months: number, today: string): string {
  const [year = 0, month = 0] = today.split('-').map(Number)
  return dayOf(Date.UTC(year, month - months, 1))
}

export function ReportsPage() {
  const [query, change] = useFilters()
  const { sees_margins: seesMargins } = useSession()
  const mayReport = useHasTier('paid') && seesMargins
  const span = (Object.keys(SPANS) as Span[]).find((each) => each === query.get('months')) ?? '12'
  const today = dayOf(Date.now())
  const period = `from=${firstDay(Number(span), today)}&to=${addDays(today, 1)}`
  const report = useApiQuery<DealReportWire>(mayReport ? `/account/reports/deals?${period}` : null)
  const csv = `/account/reports/deals.csv?${period}`
  return (
    <>
      <PageHeader title="Reports" lead="Your deals, and how good the forecasts were.">
        <label className="inline">
          <span className="visually-hidden">Period</span>
          <select value={span} onChange={(event) => change({ months: event.target.value }, { replace: true })}>
            {Object.entries(SPANS).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        {mayReport ? (
          <>
            <a className="button button-plain" href={csv} download>
              Download CSV
            </a>
            <ExcelButton csv={csv} />
          </>
        ) : null}
      </PageHeader>
      {mayReport ? (
        <QueryView query={report} skeletonLines={10}>
          {(data) => <Report report={data} />}
        </QueryView>
      ) : (
        <EmptyState title="Reports need the Paid tier and the right to see margins" />
      )}
    </>
  )
}

function ExcelButton({ csv }: { csv: string }) {
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const text = (await (await fetch(csv)).text()).replace(/^\uFEFF/, '')
      const [header = [], ...rows] = parseCsv(text, ',')
      const cells = rows.map((row) => row.map((cell) => (/^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell || null)))
      await downloadXlsx([[...header], ...cells], 'deals.xlsx')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button isBusy={isBusy} onClick={download}>
      Download Excel
    </Button>
  )
}

function Report({ report }: { report: DealReportWire }) {
  const { totals, in_stock: stock, currency, exchange_rates: rates } = report
  const money = (amount: number) => formatAmount(amount, currency)
  if (totals.bought.count + totals.sold.count + totals.declined.count === 0) {
    return (
      <Card>
        <EmptyState title="No deals in this period">
          <p>
            Record what happens with your <Link to="/dashboard/appraisals">appraisals</Link>: bought, declined or sold.
          </p>
        </EmptyState>
      </Card>
    )
  }
  return (
    <>
      <dl className="figures">
        <Figure name="Bought" value={money(totals.bought.amount)} note={pluralize(totals.bought.count, 'device')} />
        <Figure name="Sold" value={money(totals.sold.amount)} note={pluralize(totals.sold.count, 'device')} />
        <Figure
          name="Margin"
          value={money(totals.sold.profit)}
          note={
            totals.sold.margin_percent === null
              ? 'no sales yet'
              : `${totals.sold.margin_percent} % of sales, before repairs and fees`
          }
        />
        <Figure
          name="Days held"
          value={totals.sold.median_days_held === null ? '–' : formatCount(totals.sold.median_days_held)}
          note="median of sold devices"
        />
        <Figure name="In stock" value={money(stock.amount)} note={`${pluralize(stock.count, 'device')} today`} />
        <Figure
          name="Declined"
          value={formatCount(totals.declined.count)}
          note={`${totals.declined.by_customer} by customers, ${totals.declined.by_shop} by us`}
        />
      </dl>
      {rates.length > 0 ? (
        <p className="banner">
          Deals in {rates.map((rate) => rate.currency).join(', ')} are converted to {currency} by the newest exchange
          rate.
        </p>
      ) : null}
      <Months report={report} />
      <Forecasts report={report} />
    </>
  )
}

function Figure({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
      <dd className="figure-note">{note}</dd>
    </div>
  )
}

const monthName = (month: string) => formatDay(`${month}-01`).replace(/^\d+ /, '')

function Months({ report: { months, currency } }: { report: DealReportWire }) {
  const money = (amount: number) => formatAmount(amount, currency)
  const short = (amount: number) => formatShortCount(amount / minorUnitsPerUnit(currency))
  const withDeals = months
    .filter(({ bought, sold, declined }) => bought.count + sold.count + declined.count > 0)
    .toReversed()
  return (
    <Card title="Money in and out" note={`By month, in ${currency}. Margin is the sale price minus the price paid.`}>
      <MonthBars
        label="Money paid, received and earned by month"
        monthTitle="Month"
        months={months.map(({ month }) => monthName(month))}
        format={money}
        formatShort={short}
        series={[
          { name: 'Paid', values: months.map(({ bought }) => bought.amount), colour: 0 },
          { name: 'Received', values: months.map(({ sold }) => sold.amount), colour: 2 },
          { name: 'Margin', values: months.map(({ sold }) => sold.profit), colour: 4 },
        ]}
      />
      <TableScroll label="Deals by month" asCards>
        <table>
          <thead>
            <tr>
              <th scope="col">Month</th>
              {['Bought', 'Paid', 'Sold', 'Received', 'Margin', 'Margin %', 'Days held', 'Declined'].map((name) => (
                <th key={name} scope="col" className="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {withDeals.map(({ month, bought, sold, declined }) => (
              <tr key={month}>
                <td data-label="Month" className="nowrap">
                  {monthName(month)}
                </td>
                <Cell name="Bought" value={formatCount(bought.count)} />
                <Cell name="Paid" value={money(bought.amount)} />
                <Cell name="Sold" value={formatCount(sold.count)} />
                <Cell name="Received" value={money(sold.amount)} />
                <Cell name="Margin" value={money(sold.profit)} />
                <Cell name="Margin %" value={sold.margin_percent === null ? '–' : `${sold.margin_percent} %`} />
                <Cell
                  name="Days held"
                  value={sold.median_days_held === null ? '–' : formatCount(sold.median_days_held)}
                />
                <Cell name="Declined" value={formatCount(declined.count)} />
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </Card>
  )
}

const Cell = ({ name, value }: { name: string; value: string }) => (
  <td data-label={name} className="number">
    {value}
  </td>
)

function Forecasts({ report: { forecast, currency } }: { report: DealReportWire }) {
  const { offers, sales, range, losses, points, left_out: leftOut } = forecast
  const money = (amount: number) => formatAmount(amount, currency)
  const short = (amount: number) => formatShortCount(amount / minorUnitsPerUnit(currency))
  return (
    <Card
      title="Forecast against outcome"
      note="What the appraisal expected, compared with what happened. Fewer sales than a verdict needs are shown, not judged."
    >
      <div className="forecast-questions">
        <Verdict
          title="Were the offers right?"
          tone="plain"
          verdict={
            offers.deals === 0
              ? 'No purchases yet'
              : `You paid ${signed(offers.median_difference_percent)} against the recommended offer (median)`
          }
        >
          {offers.deals === 0
            ? null
            : `${pluralize(offers.deals, 'purchase')}: ${money(offers.paid)} paid, ${money(offers.recommended)} recommended. ${offers.above_offer} above the offer.`}
        </Verdict>
        <Verdict
          title="Was the sale price right?"
          tone="plain"
          verdict={
            sales.sales === 0
              ? 'No sales yet'
              : `Devices sold for ${signed(sales.median_error_percent)} against the forecast (median)`
          }
        >
          {sales.sales === 0
            ? null
            : `${pluralize(sales.sales, 'sale')}: ${money(sales.sold)} received, ${money(sales.forecast)} forecast. Typical distance ${sales.median_absolute_error_percent} %.`}
        </Verdict>
        <Verdict
          title="Did the 80 % range hold?"
          tone={range.verdict === 'as_forecast' ? 'good' : range.verdict === 'too_few' ? 'plain' : 'warn'}
          verdict={
            range.verdict === 'too_few'
              ? `${pluralize(range.sales, 'sale')}: too few to judge`
              : `${Math.round(100 * (range.share ?? 0))} % of sales inside; 80 % expected`
          }
          meter={range.sales > 0 ? { share: range.share ?? 0, mark: range.expected_share } : undefined}
        >
          {range.sales === 0
            ? null
            : `${range.inside} of ${range.sales} inside, ${range.below} below, ${range.above} above.${
                range.verdict === 'too_few'
                  ? ` A verdict needs ${MIN_SALES_TO_JUDGE} sales.`
                  : ` By chance ${range.expected_low} to ${range.expected_high}. ${RANGE_VERDICTS[range.verdict]}`
              }`}
        </Verdict>
        <Verdict
          title="How often did you lose money?"
          tone={losses.verdict === 'more_losses' ? 'warn' : losses.verdict === 'too_few' ? 'plain' : 'good'}
          verdict={
            losses.verdict === 'too_few'
              ? `${pluralize(losses.sales, 'sale')}: too few to judge`
              : `${losses.lost} of ${losses.sales} sales; ${losses.expected} expected`
          }
          meter={
            losses.sales > 0 ? { share: losses.lost / losses.sales, mark: losses.expected / losses.sales } : undefined
          }
        >
          {losses.sales === 0
            ? null
            : `${losses.lost} below the price paid plus forecast costs, ${losses.below_cost} below the price paid. Expected ${losses.expected}, by chance ${losses.expected_low} to ${losses.expected_high}.`}
        </Verdict>
      </div>
      {points.length > 0 ? (
        <ForecastPoints
          label={`Forecast and actual sale price of ${pluralize(points.length, 'sale')}`}
          format={money}
          formatShort={short}
          texts={FORECAST_TEXTS}
          points={points.map((point) => ({
            key: point.appraisal_id,
            name: `${point.device_id ?? 'Unknown device'}, ${formatDay(point.date)}`,
            forecast: point.forecast,
            low: point.low,
            high: point.high,
            sold: point.sold,
          }))}
        />
      ) : null}
      {leftOut.sample + leftOut.no_forecast > 0 ? (
        <p className="note">
          Not compared: {pluralize(leftOut.sample, 'deal')} with sample data, {pluralize(leftOut.no_forecast, 'sale')}{' '}
          without a forecast price.
        </p>
      ) : null}
    </Card>
  )
}

const FORECAST_TEXTS = {
  inside: 'Inside the 80 % range',
  outside: 'Outside',
  hint: 'Line: sold for exactly the forecast. Whiskers: 80 % range.',
  device: 'Device',
  forecast: 'Forecast',
  range: '80 % range',
  sold: 'Sold',
} as const

const RANGE_VERDICTS = {
  too_few: '',
  as_forecast: 'The range holds.',
  too_narrow: 'The range is too narrow.',
  too_wide: 'The range is wider than needed.',
} as const

function signed(percent: number | null): string {
  if (percent === null) return '–'
  return percent === 0 ? 'exactly the same' : `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`
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
