import type { TFunction } from 'i18next'
import type { AppraisalWire } from '../contract/appraisal.ts'
import type { Language } from '../contract/languages.ts'
import { formatAmount } from '../currency/format-amount.ts'
import { memoize } from '../lib/memoize.ts'
import { type ExplainedReason, mainReason } from './main-reason.ts'

type ReasonText = Pick<AppraisalWire['offer']['reasons'][number], 'code' | 'message' | 'parameters'>
type Contradiction = AppraisalWire['identity']['contradictions'][number]
/** Clerks get no plans and no policy. */
type ReasonContext = Pick<AppraisalWire, 'offer' | 'identity' | 'risk'> &
  Partial<Pick<AppraisalWire, 'plans' | 'policy' | 'currency'>>

type ReasonFormat = {
  readonly day: (date: string | null) => string
  readonly exactAmount: (minor: number, currency: string) => string
  readonly count: (value: number) => string
}

/** Parameters that the text of a reason names. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  conflicting_input: ['words'],
  fault_to_confirm: ['words'],
  unread_words: ['words'],
  low_price_confidence: ['confidence', 'minimum'],
  unverified_risk_too_high: ['maximum'],
  risk_medium: ['score'],
  risk_high: ['score'],
  risk_critical: ['score'],
}

/** Formats of files; pages have those of the browser's region. */
const formatOf = memoize(20, (language: Language): ReasonFormat => {
  const day = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    ...({ day: 'numeric', month: 'short', year: 'numeric' } as const),
    timeZone: 'UTC',
  })
  const number = new Intl.NumberFormat(language)
  return {
    day: (date) => (date === null ? '–' : day.format(new Date(date))),
    exactAmount: (minor, currency) => formatAmount(minor, currency, language),
    count: (value) => number.format(value),
  }
})

/** Why an offer is as it is, in one language. `t` has the texts of the namespace `codes`. */
export function createReasonTexts(t: TFunction<never>, language: Language, format: ReasonFormat = formatOf(language)) {
  const translate = t as unknown as (key: string, options: object) => string

  /** An unknown code keeps the English text, and so does English: the text of the response may say more. */
  function textOf(key: string, english: string, values: Readonly<Record<string, unknown>> = {}): string {
    if (language === 'en') return english
    return translate(key, { ...values, ns: 'codes', defaultValue: '' }) || english
  }

  const repairName = (code: string) => textOf(`repair.${code}`, code.replaceAll(/[-_]/g, ' '))
  const attributeName = (name: string) => textOf(`attribute.${name}`, humanizeCode(name))
  const gradeName = (grade: string) => textOf(`grade.${grade}`, grade)
  const riskFactor = ({ code, message }: ReasonText) => textOf(`riskFactor.${code}`, message)
  const contradiction = ({ code, message }: Contradiction, { identity }: Pick<AppraisalWire, 'identity'>) =>
    textOf(`contradiction.${code}`, message, { device: identity.device_name ?? '' })

  /** Values of the placeholders of a reason, from the rest of the appraisal. */
  function reasonValues({ code, parameters }: ReasonText, { offer, plans, policy, identity }: ReasonContext) {
    const plan = plans?.find((candidate) => candidate.plan === offer.plan)
    const percent = code === 'selling_fee' ? policy?.selling_fee_percent : policy?.target_margin_percent
    return {
      count: plan?.days_to_sell ?? 0,
      repairs: plan?.repairs.map(repairName).join(', ') ?? '',
      grade: plan?.sold_as ? gradeName(plan.sold_as) : textOf('parts', 'parts'),
      attributes: identity.unresolved_attributes.map(({ name }) => attributeName(name)).join(', '),
      percent: percent === undefined ? undefined : format.count(percent),
      ...knownDealValues(identity.known_to_you),
      ...parameters,
    }
  }

  /** The purchase or sale that the reasons `in_your_stock` and `sold_by_you` are about. */
  function knownDealValues(deals: AppraisalWire['identity']['known_to_you']) {
    const deal = deals.find(({ status }) => status === 'in_stock') ?? deals.find(({ status }) => status === 'sold')
    if (!deal) return {}
    const { date, by, price, currency } = deal
    return { date: format.day(date), by, price: price === null ? '' : format.exactAmount(price, currency) }
  }

  function priceRule({ message, parameters = {} }: ReasonText, currency: string | undefined): string {
    const { note, percent, limit } = parameters
    if (percent === undefined && limit === undefined) return message
    const change = Number(percent)
    const kind = limit !== undefined ? 'limit' : change > 0 ? 'raise' : 'lower'
    const text = textOf(`priceRule.${kind}`, message, {
      note: note ? `„${note}“` : '',
      percent: format.count(Math.abs(change)),
      amount: currency && format.exactAmount(Number(limit), currency),
    })
    return text.replace(/ +(?=[ :])/, '')
  }

  function reason(stated: ReasonText, appraisal: ReasonContext): string {
    const [conflict] = appraisal.identity.contradictions
    const isNamed = (NAMED[stated.code] ?? []).every((name) => stated.parameters?.[name] !== undefined)
    if (stated.code === 'conflicting_input' && !isNamed)
      return conflict ? contradiction(conflict, appraisal) : stated.message
    // An appraisal of an earlier version has no parameters.
    if (!isNamed) return stated.message
    if (stated.code === 'price_rule') return priceRule(stated, appraisal.currency)
    return textOf(`reason.${stated.code}`, stated.message, reasonValues(stated, appraisal))
  }

  function reasonDetail({ from, ...detail }: ExplainedReason['detail'], appraisal: ReasonContext): string {
    if (from === 'risk') return riskFactor(detail)
    return reason(from === 'contradiction' ? { ...detail, code: 'conflicting_input' } : detail, appraisal)
  }

  return {
    textOf,
    repairName,
    attributeName,
    gradeName,
    riskFactor,
    contradiction,
    reason,
    reasonDetail,
    /** The sentence of the reason that decides the appraisal; null if nothing prevents the offer. */
    mainReason(appraisal: ReasonContext): string | null {
      const decisive = mainReason(appraisal)
      return decisive && reasonDetail(decisive.detail, appraisal)
    },
  }
}

/** `os_version` → "OS version". */
const humanizeCode = (code: string) =>
  (code.charAt(0).toUpperCase() + code.slice(1)).replaceAll('_', ' ').replace(/\bos\b/i, 'OS')
