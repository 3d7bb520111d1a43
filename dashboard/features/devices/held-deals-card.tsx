import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { VariantPricingWire } from '../../../src/contract/pricing.ts'
import { callApi } from '../../api.ts'
import { formatDay } from '../../format.ts'
import { useMoney } from '../../money.ts'
import { useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Card } from '../../ui/page.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

type HeldDeal = NonNullable<VariantPricingWire['held_deals']>[number]

/** Records the stored outcome again with its price released. */
async function release({ appraisal_id: id }: HeldDeal): Promise<void> {
  const params = { id }
  const { outcome } = (await callApi('GET /api/appraisals/{id}', { params })).data
  const deal = outcome?.sold ?? outcome?.bought
  if (!outcome || !deal) return
  const { price, currency, date } = deal
  await callApi('POST /api/appraisals/{id}/outcome', {
    params,
    body: { status: outcome.status, price, currency, date, confirm_amount: true, release_price: true },
  })
}

/** Own deals that do not count, because they are far from what is known of the device. */
export function HeldDealsCard({ deals }: { deals: readonly HeldDeal[] }) {
  const { t } = useTranslation('devices')
  const money = useMoney()
  const { mutate, isPending, error } = useApiMutation()
  return (
    <Card title={t('held.title')} note={t('held.note')}>
      <DataTable
        label={t('held.title')}
        rows={deals}
        rowKey={({ appraisal_id: id, side }) => `${id} ${side}`}
        columns={[
          {
            title: t('held.deal'),
            isRowName: true,
            cell: ({ appraisal_id: id, side, date }) => (
              <Link to={`/dashboard/appraisals/${id}`}>
                {t(`held.${side}`)}, {formatDay(date)}
              </Link>
            ),
          },
          { title: t('held.price'), className: 'number', cell: ({ price }) => money.format(price) },
          { title: t('held.expected'), className: 'number', cell: ({ expected }) => money.formatWhole(expected) },
          {
            title: '',
            cell: (deal) => (
              <Button disabled={isPending} onClick={() => mutate(() => release(deal))}>
                {t('held.release')}
              </Button>
            ),
          },
        ]}
      />
      <ErrorMessage error={error} />
    </Card>
  )
}
