import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { CONDITIONS, type Condition } from '../../../src/contract/condition-grades.ts'
import type { VariantPricingWire } from '../../../src/contract/pricing.ts'
import type { VariantWire } from '../../../src/contract/variant.ts'
import { codeTexts } from '../../codes.ts'
import { useMoney } from '../../money.ts'
import { useOperation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { PriceHistory } from '../../ui/charts/lazy-charts.tsx'
import { SegmentedControl, Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { RangeBar } from '../../ui/range-bar.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import type { Configuration } from './configurations.ts'
import { historyLines, visibleDays } from './price-history-lines.ts'
import { deviationText, hasEstimate, marketText, PRICE_SOURCE_TONES } from './price-source-labels.ts'

/** More configurations than this are shown as a select. */
const MAX_BUTTONS = 8
const SHOWN_GRADE: Condition = 'Good'

/** Used value of a device by configuration and grade. */
export function ResaleValue({
  deviceId,
  configurations,
}: {
  deviceId: string
  configurations: readonly Configuration[]
}) {
  const { t } = useTranslation('devices')
  const { currency } = useMoney()
  const [name, setName] = useState(configurations[0]?.name ?? '')
  const chosen = configurations.find((configuration) => configuration.name === name) ?? configurations[0]
  const query = useOperation('GET /api/pricing', chosen ? { query: { variant_id: chosen.variant.id, currency } } : null)
  if (!chosen) return null
  const history = `/dashboard/devices/${deviceId}/price/${chosen.variant.id}`
  return (
    <Card title={t('value.title')} action={<Link to={history}>{t('value.history')}</Link>}>
      {configurations.length > 1 ? (
        <ConfigurationChoice configurations={configurations} chosen={chosen.name} choose={setName} />
      ) : null}
      {chosen.colours.length > 0 ? (
        <p className="note">{t('value.colours', { colours: chosen.colours.join(', ') })}</p>
      ) : null}
      <QueryView query={query} skeletonLines={6}>
        {(pricing) => (
          <ConfigurationValue
            pricing={pricing}
            listed={chosen.variant.price_source === 'list' ? chosen.variant : null}
          />
        )}
      </QueryView>
    </Card>
  )
}

function ConfigurationChoice({
  configurations,
  chosen,
  choose,
}: {
  configurations: readonly Configuration[]
  chosen: string
  choose: (name: string) => void
}) {
  const { t } = useTranslation('devices')
  const names = configurations.map(({ name }) => name)
  if (names.length <= MAX_BUTTONS) {
    return <SegmentedControl label={t('value.configuration')} options={names} chosen={chosen} choose={choose} />
  }
  return (
    <p>
      <Select aria-label={t('value.configuration')} value={chosen} options={names} onValueChange={choose} />
    </p>
  )
}

function ConfigurationValue({ pricing, listed }: { pricing: VariantPricingWire; listed: VariantWire | null }) {
  const { t } = useTranslation(['devices', 'codes'])
  const { gradeName } = codeTexts()
  const money = useMoney()
  const { resale, buyback } = pricing
  if (!resale || resale.current[SHOWN_GRADE] === null) {
    return <EmptyState title={t('price.none')} hint={t('price.noneHint')} />
  }
  const max = Math.max(1, ...CONDITIONS.map((grade) => resale.interval[grade]?.high ?? 0))
  const isEstimated = hasEstimate(pricing)
  const now = Date.now()
  const lines = historyLines(pricing, SHOWN_GRADE, now)
  return (
    <>
      <table className="worth">
        <thead>
          <tr>
            <th scope="col">{t('price.grade')}</th>
            <th scope="col">{t('block.resale')}</th>
            <th scope="col" className="worth-range">
              {t('price.range')}
            </th>
            <th scope="col">{t('block.buyback')}</th>
          </tr>
        </thead>
        <tbody>
          {CONDITIONS.map((grade, i) => {
            const value = resale.current[grade]
            const interval = resale.interval[grade]
            return (
              <tr key={grade}>
                <th scope="row">{gradeName(grade)}</th>
                <td className={isEstimated ? 'worth-price' : 'muted'}>
                  {isEstimated ? money.formatWhole(value) : t('price.noEstimate')}
                </td>
                <td className="worth-range">
                  {value !== null && interval ? (
                    <>
                      <RangeBar value={value} low={interval.low} high={interval.high} max={max} tone={i} />
                      <span className="muted">{money.formatRange(interval)}</span>
                    </>
                  ) : null}
                </td>
                <td>{isEstimated ? money.formatWhole(buyback?.current[grade] ?? null) : '–'}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className="note">
        <Badge tone={PRICE_SOURCE_TONES[resale.source]}>{t(`codes:priceSource.${resale.source}`)}</Badge>{' '}
        {[
          t(`source.${resale.source}`),
          deviationText(pricing),
          marketText(pricing),
          listed ? t('value.listPrice', { price: money.formatListPrice(listed) }) : '',
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {resale.historical.length > 0 ? (
        <PriceHistory
          isSmall
          label={t('value.chart', { grade: gradeName(SHOWN_GRADE) })}
          lines={lines}
          days={visibleDays('6M', lines, null, now)}
          today={resale.interval[SHOWN_GRADE]}
          listPrice={null}
          launchedAt={null}
          isSimulated={resale.source === 'sample'}
        />
      ) : null}
    </>
  )
}
