import type { OwnDealsWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { formatDay, pluralize } from '../../format.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

/** The prices of the organization's own deals, as one group that can be left out of its prices. */
export function DealsCard() {
  const deals = useApiQuery<OwnDealsWire>('/account/deals').data?.data
  const change = useApiMutation()
  if (!deals || deals.prices + deals.left_out === 0) return null
  const set = (isIncluded: boolean) =>
    change.mutate(async () => {
      await apiPost('/account/deals', { included: isIncluded })
    })
  return (
    <Card
      title="Deals"
      note="Prices you paid and got for devices you appraised. They count in your organization's prices only."
      action={<Badge tone={deals.included ? 'good' : 'plain'}>{deals.included ? 'Counted' : 'Left out'}</Badge>}
    >
      <p>
        {pluralize(deals.prices, 'price')}
        {deals.newest_on ? `, newest of ${formatDay(deals.newest_on)}` : ''}.{' '}
        {deals.left_out > 0
          ? `${pluralize(deals.left_out, 'deal')} never count: devices with defects, an open configuration or a listed identifier.`
          : null}
      </p>
      {change.error ? <ErrorMessage error={change.error} /> : null}
      <p className="card-actions">
        <Button isBusy={change.isPending} onClick={() => set(!deals.included)}>
          {deals.included ? 'Leave out of our prices' : 'Count in our prices'}
        </Button>
      </p>
    </Card>
  )
}
