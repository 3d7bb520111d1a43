import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { QuoteAtCounterWire, QuoteDifferenceWire } from '../../../src/contract/quotes.ts'
import { callApi } from '../../api.ts'
import { codeTexts } from '../../codes.ts'
import { formatAmount, formatDay } from '../../format.ts'
import { Card } from '../../ui/page.tsx'
import type { Deal } from './deal.ts'

/** Opens the quote of a customer: who scans it records that the customer is here. Its answers stay beside the clerk's. */
export async function openQuote(number: string): Promise<Partial<Deal>> {
  const { data } = await callApi('GET /api/quotes/{id}', { params: { id: number } })
  if (data.state === 'open')
    await callApi('PATCH /api/quotes/{id}', { params: { id: data.quote_id }, body: { state: 'arrived' } })
  return {
    quote: data.quote_id,
    ...(data.variant_id ? { variant: data.variant_id } : { device: data.device_id }),
    attributes: data.attributes,
  }
}

const grade = (text: string | null) =>
  text === null ? '' : i18next.t(`codes:grade.${text}` as 'codes:grade.Good', { defaultValue: text })
const defect = (code: string | null) => (code === null ? '' : codeTexts().defect(code, null).name)

export function describeDifference({ kind, said, is }: Pick<QuoteDifferenceWire, 'kind' | 'said' | 'is'>): string {
  const { t } = i18next
  if (kind === 'grade') return t('counter:quote.difference.other', { said: grade(said), is: grade(is) })
  if (kind === 'fault') return t('counter:quote.difference.fault', { fault: defect(is) })
  if (kind === 'fault_absent') return t('counter:quote.difference.absent', { fault: defect(said) })
  if (kind === 'check') return t('counter:quote.difference.check')
  return t('counter:quote.difference.other', { said: said ?? '', is: is ?? '' })
}

/** Each difference between the answers and the device with its money; also on the screen of the customer. */
function QuoteDifferences({ quote }: { quote: QuoteAtCounterWire }) {
  const money = (amount: number | null) => (amount === null ? '–' : formatAmount(amount, quote.currency))
  return (
    <ul className="plain-list">
      {quote.differences.map((difference) => (
        <li key={`${difference.kind} ${difference.said} ${difference.is}`}>
          {describeDifference(difference)}: {money(difference.before)} → <strong>{money(difference.after)}</strong>
        </li>
      ))}
    </ul>
  )
}

/** What the customer stated at home, and what became of the price. */
export function QuoteCard({ quote }: { quote: QuoteAtCounterWire }) {
  const { t } = useTranslation(['counter', 'trade-in'])
  const { state, answers, quoted_price: quoted, price, currency } = quote
  const isUsable = state === 'open' || state === 'arrived'
  return (
    <Card title={`${t('quote.title')} ${quote.quote_id}`} note={t(`trade-in:state.${state}`)}>
      <p>
        {t('quote.said')}: {[grade(answers.condition), ...answers.defects.map(defect)].join(' · ')}
        {quoted === null ? '' : ` · ${formatAmount(quoted, currency)}`}
      </p>
      <QuoteDifferences quote={quote} />
      <p className={quote.price_held ? undefined : 'doubt'} role="status">
        {!isUsable
          ? t('quote.over')
          : quoted === null
            ? t('quote.noPrice')
            : quote.price_held
              ? t('quote.holds', {
                  amount: formatAmount(price, currency),
                  day: formatDay(quote.valid_until.slice(0, 10)),
                })
              : price === null
                ? t('quote.notBought')
                : t('quote.requote', { amount: formatAmount(price, currency) })}
      </p>
    </Card>
  )
}
