import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { codeTexts } from '../../codes.ts'
import { formatAmount, formatRelativeTime } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { useHasTier } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page.tsx'
import { DECISION_TONES } from '../counter/decision-tones.ts'
import { RiskBadge } from '../lookups/risk-badge.tsx'
import { OutcomeBadge } from '../outcomes/outcome.tsx'

const MAX_ITEMS = 5

/** Open offers, latest appraisals and latest checks; each is hidden if it is empty. */
export function RecentWork() {
  const { t } = useTranslation('overview')
  const mayAppraise = useHasTier('paid')
  const open = useOperation('GET /api/appraisals', mayAppraise ? { query: { outcome: 'open', limit: 25 } } : null).data
    ?.data
  const latest = useOperation('GET /api/appraisals', mayAppraise ? { query: { limit: MAX_ITEMS } } : null).data?.data
  const lookups = useOperation('GET /api/imei', useHasTier('enterprise') ? { query: { limit: MAX_ITEMS } } : null).data
    ?.data
  const offers = (open ?? []).filter(({ offer, declined }) => offer.recommended_offer && !declined)
  return (
    <div className="columns">
      {offers.length ? (
        <Card
          title={t('recent.offers')}
          action={<Link to="/dashboard/appraisals?outcome=open">{t('recent.allOpen')}</Link>}
        >
          <ul className="plain-list">
            {offers.slice(0, MAX_ITEMS).map(({ appraisal_id: id, identity, offer, agreed_offer, currency }) => (
              <li key={id}>
                <span>
                  <Badge tone={DECISION_TONES[offer.decision]}>{codeTexts().decision(offer.decision)}</Badge>{' '}
                  <Link to={`/dashboard/appraisals/${id}`}>{codeTexts().deviceTitle(identity)}</Link>
                </span>
                <strong className="amount">{formatAmount(agreed_offer ?? offer.recommended_offer, currency)}</strong>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      {latest?.length ? (
        <Card
          title={t('recent.appraisals')}
          action={<Link to="/dashboard/appraisals">{t('recent.allAppraisals')}</Link>}
        >
          <ul className="plain-list">
            {latest.slice(0, MAX_ITEMS).map((appraisal) => (
              <li key={appraisal.appraisal_id}>
                <span>
                  <Link to={`/dashboard/appraisals/${appraisal.appraisal_id}`}>
                    {codeTexts().deviceTitle(appraisal.identity)}
                  </Link>{' '}
                  <OutcomeBadge appraisal={appraisal} />
                </span>
                <span className="muted">{formatRelativeTime(appraisal.timestamp)}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      {lookups?.length ? (
        <Card title={t('recent.checks')} action={<Link to="/dashboard/lookups">{t('recent.allChecks')}</Link>}>
          <ul className="plain-list">
            {lookups.map((lookup) => (
              <li key={lookup.lookup_id}>
                <span>
                  <RiskBadge lookup={lookup} />{' '}
                  <Link to={`/dashboard/lookups/${lookup.lookup_id}`}>{lookup.identifier}</Link>
                </span>
                <span className="muted">{formatRelativeTime(lookup.timestamp)}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </div>
  )
}
