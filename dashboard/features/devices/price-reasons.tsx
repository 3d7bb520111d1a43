import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { PriceBlockWire, VariantPricingWire } from '../../../src/contract/pricing.ts'
import { codeTexts } from '../../codes.ts'
import { formatCount, formatDay, formatPercent } from '../../format.ts'
import { useMoney } from '../../money.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Card } from '../../ui/page.tsx'
import { lastPoint, signedPercent } from './price-history-lines.ts'

type SourceFacts = Pick<VariantPricingWire, 'sources' | 'source_count'> & {
  readonly resale?: { readonly source: PriceBlockWire['source'] } | undefined
}
type Source = VariantPricingWire['sources'][number]

/** What to know about the sources: that there is only one, or that the resale price has none and is an estimate. */
export function sourceNote({ resale, sources, source_count: count }: SourceFacts): string | undefined {
  if (resale && resale.source !== 'market' && sources.length > 0) return i18next.t('devices:why.resaleEstimated')
  return count === 1 ? i18next.t('devices:why.oneSource') : undefined
}

/** The sources behind a price, and what changed since the last point of its line. */
export function PriceReasons({ pricing }: { pricing: VariantPricingWire }) {
  const { t } = useTranslation('devices')
  const money = useMoney()
  const { sources } = pricing
  const nameOf = ({ kind, name }: Source) => name ?? t(`why.${kind === 'own' ? 'own' : 'contributed'}`)
  return (
    <Card title={t('why.title')} note={sourceNote(pricing)}>
      <Change pricing={pricing} />
      {sources.length === 0 ? (
        <p>{t('why.noSource')}</p>
      ) : (
        <DataTable
          label={t('why.title')}
          rows={sources}
          rowKey={(_, index) => index}
          columns={[
            { title: t('why.source'), isRowName: true, cell: nameOf },
            { title: t('why.side'), cell: ({ side }) => t(`block.${side}`) },
            { title: t('why.prices'), className: 'number', cell: ({ observations }) => formatCount(observations) },
            { title: t('why.recent'), className: 'number', cell: ({ recent }) => formatCount(recent) },
            { title: t('why.newest'), cell: ({ newest }) => formatDay(newest) },
            {
              title: t('why.good', { grade: codeTexts().gradeName('Good') }),
              className: 'number',
              cell: ({ good }) => (good === null ? '–' : money.formatWhole(good)),
            },
            { title: t('why.weight'), className: 'number', cell: ({ weight }) => formatPercent(weight / 100) },
          ]}
        />
      )}
    </Card>
  )
}

function Change({ pricing }: { pricing: VariantPricingWire }) {
  const { t } = useTranslation('devices')
  const money = useMoney()
  const last = lastPoint(pricing, 'Good', Date.now())
  const today = pricing.resale?.current.Good
  if (!last || !today || pricing.resale?.source !== 'market') return null
  const recent = pricing.sources.reduce((sum, source) => sum + (source.side === 'resale' ? source.recent : 0), 0)
  return (
    <p>
      {t('why.change', {
        day: formatDay(last.at),
        before: money.formatWhole(last.amount),
        today: money.formatWhole(today),
        percent: signedPercent(today / last.amount - 1),
      })}{' '}
      {t('why.new', { count: recent })}
    </p>
  )
}
