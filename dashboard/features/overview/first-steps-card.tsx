import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useOperation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page.tsx'

type Step = {
  readonly id: 'address' | 'prices' | 'team' | 'stolen' | 'limit'
  readonly to: string
  readonly isDone: boolean
}

/** What makes the service one's own, for owners: address, prices, a list of stolen devices, the limit for clerks and the team. Hidden when all is done. */
export function FirstStepsCard() {
  const { t } = useTranslation('overview')
  const { receipt, policy } = useOperation('GET /api/manage/settings', {}).data?.data ?? {}
  const imports = useOperation('GET /api/manage/imports', {}).data?.data
  const members = useOperation('GET /api/manage/members', {}).data?.data
  const invitations = useOperation('GET /api/manage/invitations', {}).data?.data
  if (!receipt || !members || !invitations || !imports) return null
  const hasPrices = imports.some(({ format }) => format === 'observations')
  const steps: readonly Step[] = [
    { id: 'address', to: '/dashboard/receipt', isDone: receipt.address !== '' },
    { id: 'prices', to: '/dashboard/imports', isDone: hasPrices },
    { id: 'stolen', to: '/dashboard/imports', isDone: imports.some(({ format }) => format === 'lists') },
    { id: 'limit', to: '/dashboard/policy', isDone: policy?.policy.clerk_offer_limit != null },
    { id: 'team', to: '/dashboard/members', isDone: members.length > 1 || invitations.length > 0 },
  ]
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <Card title={t('steps.title')}>
      <ul className="plain-list">
        {steps.map(({ id, to, isDone }) => (
          <li key={id}>
            <span>
              <Badge tone={isDone ? 'good' : 'plain'}>{t(isDone ? 'steps.done' : 'steps.open')}</Badge>{' '}
              {t(`steps.${id}`)}
            </span>
            {isDone ? null : <Link to={to}>{t(`steps.${id}Link`)}</Link>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
