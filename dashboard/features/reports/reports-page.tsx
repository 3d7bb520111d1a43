import type { TFunction } from 'i18next'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { type DealReportWire, REPORT_GROUPS, type ReportGroup } from '../../../src/contract/deal-report.ts'
import { addDays, dayOf } from '../../../src/lib/time.ts'
import type { ApiRequest } from '../../endpoint-types.ts'
import { formatAmount, formatCount, formatPercent } from '../../format.ts'
import { currentLanguage } from '../../i18n.ts'
import { localDay } from '../../local-day.ts'
import { useOperation } from '../../queries.ts'
import { useFilters } from '../../search-params.ts'
import { useHasTier, useSession } from '../../session.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import { FilterSelect } from '../../ui/field.tsx'
import { Card, Fact, PageHeader } from '../../ui/page.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { DealsByGroup } from './deals-by-group.tsx'
import { DealsByMonth } from './deals-by-month.tsx'
import { ForecastQuality } from './forecast-quality.tsx'
import { StockAgeing } from './stock-ageing.tsx'

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
            <DownloadButton
              route="GET /api/reports/deals"
              request={{ query: { ...filter, format: 'xlsx', language: currentLanguage() } }}
            >
              {t('excel')}
            </DownloadButton>
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
      <DealsByMonth report={report} />
      <DealsByGroup report={report} by={by} choose={chooseGroup} />
      <StockAgeing report={report} />
      <ForecastQuality report={report} />
    </>
  )
}

/** The note with the change against the same days of the year before, if there were any deals. */
function withYear(note: string, now: number, before: number | undefined, t: TFunction<'reports'>): string {
  if (!before || before <= 0) return note
  const percent = formatPercent(Math.abs(now / before - 1))
  return t(now >= before ? 'yearUp' : 'yearDown', { note, percent })
}
