import { useTranslation } from 'react-i18next'
import type { PricePreviewWire, UploadPageWire } from '../../../src/contract/uploads.ts'
import { localizedMarkets } from '../../markets.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { GRADE_LABELS, gradeLabel } from './upload-labels.ts'
import { bindOptions, type ColumnMapping, parsePairs, type UploadOptions, withPair } from './upload-options.ts'

type Props = {
  readonly prices: PricePreviewWire
  readonly uploads: UploadPageWire
  readonly mapping: ColumnMapping
  readonly options: UploadOptions
  readonly change: (options: UploadOptions) => void
}

/** Asks what the prices of a file are. What the file says or the shop suggests is shown as the first choice. */
export function PriceTermsCard({ prices, uploads, mapping, options, change }: Props) {
  const { t } = useTranslation('imports')
  const has = (field: string) => Object.values(mapping).includes(field)
  const isAsked = (name: PricePreviewWire['questions'][number]['name']) =>
    prices.questions.some((question) => question.name === name)
  const bind = bindOptions(options, change)
  const currencies = uploads.currencies.toSorted()
  const markets = localizedMarkets(uploads.markets)
  const marketName = (code: string) => markets.find((market) => market.code === code)?.name ?? code
  const { assumed } = prices
  const market = marketName(assumed?.market ?? uploads.default_market)
  const unset = (name: 'side' | 'currency' | 'condition') => t(isAsked(name) ? 'terms.choose' : 'options.fromFile')
  return (
    <Card title={t('terms.title')} note={t(prices.questions.length > 0 ? 'terms.asked' : 'terms.note')}>
      <div className="upload-options">
        {(isAsked('title') || options.title !== undefined) && (
          <TextField label={t('terms.device')} hint={t('terms.deviceHint')} {...bind('title')} />
        )}
        {(isAsked('date') || options.date !== undefined) && (
          <TextField label={t('options.date')} type="date" {...bind('date')} />
        )}
        {(isAsked('unit') || options.unit !== undefined) && (
          <SelectField
            label={t('terms.unit')}
            hint={t('terms.unitHint')}
            {...bind('unit')}
            options={[
              ['', t('terms.choose')],
              ['1', t('terms.units.right')],
              ['0.01', t('terms.units.cents')],
              ['1000', t('terms.units.thousands')],
              ['10000', t('terms.units.tenThousands')],
            ]}
          />
        )}
        {isAsked('range') && (
          <SelectField
            label={t('options.range')}
            {...bind('range')}
            options={[
              ['', t('terms.choose')],
              ['low', t('options.low')],
              ['refuse', t('options.reject')],
            ]}
          />
        )}
        <SelectField
          label={t('options.side')}
          {...bind('side')}
          options={[
            ['', unset('side')],
            ['sold', t('options.sold')],
            ['quote', t('options.quote')],
            ['ask', t('options.ask')],
          ]}
        />
        <SelectField
          label={t('column.currency')}
          {...bind('currency')}
          options={[['', unset('currency')], ...currencies]}
        />
        <SelectField
          label={t('options.market')}
          {...bind('market')}
          options={[
            ['', has('country') ? t('options.fromFileElse', { market }) : market],
            ...markets.map(({ code, name }) => [code, name] as const),
          ]}
        />
        <SelectField
          label={t('terms.vat')}
          {...bind('vat')}
          options={[
            ['', t('terms.guess', { value: t(`terms.${assumed?.vat ?? 'included'}`) })],
            ['included', t('terms.included')],
            ['excluded', t('terms.excluded')],
          ]}
        />
        <SelectField
          label={t(has('condition') ? 'options.conditionEmpty' : 'options.conditionAll')}
          value={parsePairs(options.condition)[''] ?? ''}
          options={[['', unset('condition')], ...GRADE_LABELS.map((grade) => [grade, gradeLabel(grade)] as const)]}
          onValueChange={(grade) => change(withPair(options, 'condition', '', grade))}
        />
      </div>
      <HeldTerms terms={prices.terms} />
    </Card>
  )
}

const FACT_LABELS = {
  source: 'field.source',
  side: 'options.side',
  currency: 'column.currency',
  market: 'options.market',
  date: 'options.date',
  vat: 'terms.vat',
  unit: 'terms.unit',
} as const

/** What holds for all rows, and what says so. */
export function HeldTerms({ terms }: Pick<PricePreviewWire, 'terms'>) {
  const { t } = useTranslation('imports')
  const textOf = (fact: string, value: string | null) => {
    if (value === null) return t('terms.each')
    if (fact === 'vat') return t(value === 'excluded' ? 'terms.excluded' : 'terms.included')
    return fact === 'side' ? t(`options.${value as 'ask' | 'sold' | 'quote'}`) : value
  }
  return (
    <details>
      <summary>{t('terms.held')}</summary>
      <ul className="muted">
        {terms.map(({ fact, value, by }) => (
          <li key={fact}>
            {fact === 'title' ? t('terms.device') : t(FACT_LABELS[fact])}: {textOf(fact, value)} ({t(`terms.by.${by}`)})
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The options with the likely answers to open questions, for the user to confirm. */
export function withGuesses(options: UploadOptions, prices: PricePreviewWire | null): UploadOptions {
  let guessed = options
  for (const { name, guess } of prices?.questions ?? []) {
    if (guess === null) continue
    guessed = name === 'condition' ? withPair(guessed, name, '', guess) : { ...guessed, [name]: guess }
  }
  return guessed
}
