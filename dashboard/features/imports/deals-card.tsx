import { useTranslation } from 'react-i18next'
import { apiPost } from '../../api.ts'
import { formatDay } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { ApiButton } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'

/** The prices of the organization's own deals, as one group that can be left out of its prices. */
export function DealsCard() {
  const { t } = useTranslation('imports')
  const deals = useApiQuery('/account/deals').data?.data
  if (!deals || deals.prices + deals.excluded === 0) return null
  return (
    <Card
      title={t('deals.title')}
      note={t('deals.note')}
      action={
        <Badge tone={deals.included ? 'good' : 'plain'}>{t(deals.included ? 'deals.counted' : 'deals.leftOut')}</Badge>
      }
    >
      <p>
        {deals.newest_on
          ? t('deals.pricesNewest', { count: deals.prices, day: formatDay(deals.newest_on) })
          : t('deals.prices', { count: deals.prices })}{' '}
        {deals.excluded > 0 ? t('deals.never', { count: deals.excluded }) : null}
      </p>
      <div className="card-actions">
        <ApiButton send={() => apiPost('/account/deals', { included: !deals.included })}>
          {t(deals.included ? 'deals.leaveOut' : 'deals.count')}
        </ApiButton>
      </div>
    </Card>
  )
}
