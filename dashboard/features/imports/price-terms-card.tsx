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
    </Card>
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
