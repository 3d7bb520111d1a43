import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { formatAmount, formatCount } from '../../format.ts'
import { browserTimeZone, localDay } from '../../local-day.ts'
import { useOperation } from '../../queries.ts'
import { useHasTier, useSession } from '../../session.tsx'
import { Fact } from '../../ui/page.tsx'

/** Deals of today, in the time zone of the browser, and open appraisals. People who see no margins get the counts without money. */
export function TodayFigures() {
  const { t } = useTranslation('overview')
  const { sees_margins: seesMargins } = useSession()
  const mayAppraise = useHasTier('paid')
  const today = localDay()
  const ofToday = { day: today, time_zone: browserTimeZone(), limit: 1 }
  const appraised = useOperation('GET /api/appraisals', mayAppraise ? { query: ofToday } : null).data?.meta
  const open = useOperation('GET /api/appraisals', mayAppraise ? { query: { outcome: 'open', limit: 1 } } : null).data
    ?.meta
  const report = useOperation(
    'GET /api/reports/deals',
    mayAppraise && seesMargins ? { query: { from: today, to: today } } : null,
  ).data?.data
  if (!mayAppraise) return null
  // Figures that are still loading have their place, so that nothing below moves.
  const totals = report?.totals
  return (
    <dl className="figures" aria-label={t('today.title')}>
      <Fact name={t('today.appraised')}>
        <Link to={`/dashboard/appraisals?day=${today}`}>{appraised ? formatTotal(appraised) : '–'}</Link>
      </Fact>
      {seesMargins ? (
        <>
          <Deals name={t('today.bought')} deals={totals?.bought} currency={report?.currency} />
          <Deals name={t('today.sold')} deals={totals?.sold} currency={report?.currency} />
          <Fact name={t('today.profit')}>
            {totals && totals.sold.count > 0 ? formatAmount(totals.sold.profit, report?.currency ?? '') : '–'}
          </Fact>
        </>
      ) : null}
      <Fact name={t('today.open')}>
        <Link to="/dashboard/appraisals?outcome=open">{open ? formatTotal(open) : '–'}</Link>
      </Fact>
    </dl>
  )
}

/** A long list is counted to its cap: "10,000+". */
const formatTotal = (meta: { readonly total: number; readonly total_is_capped?: boolean | undefined }) =>
  `${formatCount(meta.total)}${meta.total_is_capped ? '+' : ''}`

type DealsProps = {
  readonly name: string
  readonly deals: { readonly count: number; readonly amount: number } | undefined
  readonly currency: string | undefined
}

function Deals({ name, deals, currency }: DealsProps) {
  return (
    <Fact name={name}>
      {deals ? formatCount(deals.count) : '–'}{' '}
      {deals && currency && deals.count > 0 ? (
        <span className="muted">{formatAmount(deals.amount, currency)}</span>
      ) : null}
    </Fact>
  )
}
