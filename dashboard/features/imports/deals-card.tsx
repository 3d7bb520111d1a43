import { useTranslation } from 'react-i18next'
import { callApi } from '../../api.ts'
import { formatDay } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { ApiButton } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'

/** The prices of the organization's own deals, as one group that can be left out of its prices. */
export function DealsCard() {
  const { t } = useTranslation('imports')
  const policy = useOperation('GET /api/manage/settings', {}).data?.data.policy
  if (!policy || policy.deals.prices + policy.deals.excluded === 0) return null
  const { deals, uses_deals: usesDeals } = policy
  return (
    <Card
      title={t('deals.title')}
      note={t('deals.note')}
      action={<Badge tone={usesDeals ? 'good' : 'plain'}>{t(usesDeals ? 'deals.counted' : 'deals.leftOut')}</Badge>}
    >
      <p>
        {deals.newest_on
          ? t('deals.pricesNewest', { count: deals.prices, day: formatDay(deals.newest_on) })
          : t('deals.prices', { count: deals.prices })}{' '}
        {deals.excluded > 0 ? t('deals.never', { count: deals.excluded }) : null}
      </p>
      <div className="card-actions">
        <ApiButton send={() => callApi('PATCH /api/manage/settings', { body: { policy: { uses_deals: !usesDeals } } })}>
          {t(usesDeals ? 'deals.leaveOut' : 'deals.count')}
        </ApiButton>
      </div>
    </Card>
  )
}
