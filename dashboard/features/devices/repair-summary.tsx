import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { CommonRepairWire } from '../../../src/contract/repair.ts'
import { codeTexts } from '../../codes.ts'
import { type Money, useMoney } from '../../money.ts'
import { useOperation } from '../../queries.ts'
import { Card } from '../../ui/page.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'

const MAX_REPAIRS = 5

/** Common repairs with their cost, parts and labour included. */
export function RepairSummary({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('devices')
  const money = useMoney()
  const request = { query: { device_id: deviceId, currency: money.currency } }
  const query = useOperation('GET /api/repairs', request)
  return (
    <Card
      title={t('repair.title')}
      action={<Link to={`/dashboard/devices/${deviceId}/repairs`}>{t('repair.all')}</Link>}
    >
      <QueryView query={query} skeletonLines={5}>
        {(repair) =>
          repair.common_repairs.length === 0 ? (
            <EmptyState title={t('repair.none')} />
          ) : (
            <>
              <ul className="plain-list">
                {repair.common_repairs.slice(0, MAX_REPAIRS).map((commonRepair) => (
                  <li key={commonRepair.name}>
                    <span>{codeTexts().repairTitle(commonRepair.name)}</span>
                    <span className="muted">{costOf(commonRepair, money, t)}</span>
                  </li>
                ))}
              </ul>
              <p className="note">
                {repair.repairsite_score === null
                  ? t('repair.includes')
                  : t('repair.includesScore', { score: repair.repairsite_score })}
              </p>
            </>
          )
        }
      </QueryView>
    </Card>
  )
}

/** From the cheapest part and shortest labour to the most expensive and longest; unknown if either is. */
function costOf(
  { parts, labour_min: least, labour_max: most }: CommonRepairWire,
  money: Money,
  t: TFunction<'devices'>,
): string {
  const lows = parts.flatMap(({ cost_min: cents }) => (cents === null ? [] : [cents]))
  const highs = parts.flatMap(({ cost_max: cents }) => (cents === null ? [] : [cents]))
  if (lows.length === 0 || highs.length === 0 || least === null || most === null) return t('repair.costUnknown')
  return money.formatRange({ low: Math.min(...lows) + least, high: Math.max(...highs) + most })
}
