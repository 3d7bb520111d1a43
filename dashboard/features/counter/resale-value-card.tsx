import { useTranslation } from 'react-i18next'
import type { AppraisalPreviewWire } from '../../../src/contract/appraisal.ts'
import type { Condition } from '../../../src/contract/condition-grades.ts'
import { formatAmount } from '../../format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { GradePrices } from '../devices/grade-prices.tsx'
import { isGuess, PRICE_SOURCE_TONES } from '../devices/price-source-labels.ts'

/** Resale price per grade with its 80 % range, and the trade-in price. Of a guess only the range. */
export function ResaleValueCard({ preview, grade }: { preview: AppraisalPreviewWire; grade: Condition | null }) {
  const { t } = useTranslation(['counter', 'codes', 'devices'])
  const { grades, currency, offer } = preview
  const format = (amount: number | null) => formatAmount(amount, currency, true)
  const guessed = isGuess(offer.market_confidence, offer.source === 'market')
  return (
    <Card
      title={t('value.title')}
      action={
        offer.source ? (
          <Badge tone={PRICE_SOURCE_TONES[offer.source]}>{t(`codes:priceSource.${offer.source}`)}</Badge>
        ) : undefined
      }
      note={offer.source ? t(`value.${offer.source}`, { confidence: offer.market_confidence }) : undefined}
    >
      {grades.every(({ resale }) => resale === null) ? (
        <EmptyState title={t('value.none')} />
      ) : (
        <GradePrices
          format={guessed ? () => t('devices:price.noEstimate') : format}
          chosen={grade}
          rows={grades.map(({ condition, resale, buyback }) => {
            const amounts = {
              low: format(resale?.low ?? null),
              high: format(resale?.high ?? null),
              tradeIn: format(buyback?.amount ?? null),
            }
            const text = resale
              ? t(buyback && !guessed ? 'value.rangeAndTradeIn' : 'value.range', amounts)
              : buyback && !guessed
                ? t('value.onlyTradeIn', amounts)
                : '–'
            return { grade: condition, amount: guessed ? null : (resale?.amount ?? null), range: resale, text }
          })}
        />
      )}
    </Card>
  )
}
