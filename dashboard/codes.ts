import i18next, { type TFunction } from 'i18next'
import { deviceTitle } from '../src/appraisal/device-title.ts'
import type { ExplainedReason } from '../src/appraisal/main-reason.ts'
import type { AppraisalWire, PlanName } from '../src/contract/appraisal.ts'
import type { ConditionGrade } from '../src/contract/condition-grades.ts'
import { DEFECTS, type DeviceKind, defectsOfKind } from '../src/contract/device-kinds.ts'
import type { Language } from '../src/contract/languages.ts'
import type { ID_KINDS, PAYOUT_METHODS } from '../src/contract/sellers.ts'
import { FAULT_KINDS, FAULTS, PART_KINDS, partName } from '../src/repairs/fault-kinds.ts'
import { formatIn, humanize, minorUnitsPerUnit } from './format.ts'
import { currentLanguage } from './i18n.ts'

type SellerIdKind = (typeof ID_KINDS)[number]
type PayoutMethod = (typeof PAYOUT_METHODS)[number]

/** Key of an English text: `M.2 drive` → `m_2_drive`. */
const keyOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '_')

/** Texts for codes of the API in one language. An unknown code keeps the English text of the response. */
export function codeTexts(language: Language = currentLanguage()) {
  const translate = i18next.getFixedT(language, 'codes') as TFunction<'codes'>
  const format = formatIn(language)

  function textOf(key: string, english: string, values: Readonly<Record<string, unknown>> = {}): string {
    // English keeps the text of the response, which may say more than the code.
    if (language === 'en' || !i18next.exists(key, { lng: language, ns: 'codes', fallbackLng: language, ...values })) {
      return english
    }
    return translate(key as never, values as never) as unknown as string
  }

  const capitalized = (text: string) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
  const repairName = (code: string) => textOf(`repair.${code}`, humanize(code.replaceAll('-', ' ')).toLowerCase())
  const attributeName = (name: string) => textOf(`attribute.${name}`, humanize(name))
  const gradeName = (grade: string) => textOf(`grade.${grade}`, grade)

  /** Values of the placeholders of a reason, from the rest of the appraisal. */
  function reasonValues({ offer, plans, policy, identity, risk }: ReasonContext) {
    const plan = plans?.find((candidate) => candidate.plan === offer.plan)
    return {
      count: plan?.days_to_sell ?? 0,
      repairs: plan?.repairs.map(repairName).join(', ') ?? '',
      grade: plan?.sold_as ? gradeName(plan.sold_as) : translate('parts'),
      confidence: offer.market_confidence,
      minimum: policy?.min_confidence,
      maximum: policy?.max_unverified_risk_points,
      attributes: identity.unresolved_attributes.map(({ name }) => attributeName(name)).join(', '),
      score: risk?.risk_score ?? 0,
      ...knownDealValues(identity.known_to_you),
    }
  }

  /** The purchase or sale that the reasons `in_your_stock` and `sold_by_you` are about. */
  function knownDealValues(deals: AppraisalWire['identity']['known_to_you']) {
    const deal = deals.find(({ status }) => status === 'in_stock') ?? deals.find(({ status }) => status === 'sold')
    if (!deal) return {}
    const { date, by, price, currency } = deal
    return { date: format.day(date), by, price: price === null ? '' : format.exactAmount(price, currency) }
  }
  const percentOf = (code: string, { policy }: ReasonContext) =>
    policy && format.count(code === 'selling_fee' ? policy.selling_fee_percent : policy.target_margin_percent)

  /** A line such as `Price rule "Week of the S24": +10 %`, in words of the language. */
  function priceRule(message: string, currency: string | undefined): string {
    const [, name, sign, percent, limit] =
      /^Price rule(?: "(.*)")?: (?:([+−])([\d.]+) %|at most (.*))$/.exec(message) ?? []
    const note = name ? `„${name}“` : ''
    const amount = limit && currency ? format.exactAmount(toMinorUnits(limit, currency), currency) : limit
    const kind = limit ? 'limit' : sign === '+' ? 'raise' : 'lower'
    const text = textOf(`priceRule.${kind}`, message, { note, percent: format.count(Number(percent)), amount })
    return text.replace(/ +(?=[ :])/, '')
  }

  type Contradiction = AppraisalWire['identity']['contradictions'][number]
  const contradiction = ({ code, message }: Contradiction, { identity }: Pick<AppraisalWire, 'identity'>) =>
    textOf(`contradiction.${code}`, message, { device: identity.device_name ?? '' })

  return {
    deviceTitle: (identity: Parameters<typeof deviceTitle>[0]) =>
      deviceTitle(identity, i18next.t('lookups:unknownDevice', { lng: language })),
    gradeName,
    repairName,
    attributeName,
    contradiction,
    decision: (code: AppraisalWire['offer']['decision']) => translate(`decision.${code}`),
    plan: (code: PlanName) => translate(`plan.${code}`),
    riskLevel: (level: 'low' | 'medium' | 'high' | 'critical') => translate(`riskLevel.${level}`),
    riskFactor: ({ code, message }: { readonly code: string; readonly message: string }) =>
      textOf(`riskFactor.${code}`, message),
    idKind: (kind: SellerIdKind) => translate(`idKind.${kind}`),
    payout: (method: PayoutMethod) => translate(`payout.${method}`),
    blacklist: (status: 'clean' | 'blacklisted' | 'pending' | 'unknown') => translate(`blacklist.${status}`),
    identifierType: (type: string) => (type === 'serial' ? translate('identifier.serial') : type.toUpperCase()),
    gradeScreen: (grade: ConditionGrade) => translate(`gradeScreen.${grade.name}`),
    gradeBody: (grade: ConditionGrade) => translate(`gradeBody.${grade.name}`),
    gradeText: (grade: ConditionGrade) => textOf(`gradeText.${grade.name}`, grade.definition),

    /** A defect in words that fit the kind of device. */
    defect(code: string, kind: DeviceKind | null): { readonly name: string; readonly description: string } {
      const general = DEFECTS.find((candidate) => candidate.code === code)
      const defect = defectsOfKind(kind).find((candidate) => candidate.code === code) ?? general
      if (!general || !defect) return { name: code, description: '' }
      if (code === 'cracked_back' && defect.name !== general.name) {
        return { name: textOf('housing', defect.name), description: textOf('housingHint', defect.description) }
      }
      return {
        name: textOf(`defect.${code}`, defect.name),
        description: textOf(`defectHint.${code}`, defect.description),
      }
    },

    /** Texts of a repair profile. Those of imported data, and rare ones, keep the English of the response. */
    repairTitle(name: string): string {
      const kind = FAULT_KINDS.find((fault) => FAULTS[fault].repair === name)
      const special = textOf(`repairTitle.${keyOf(name)}`, '')
      return special || (kind && textOf('repairOf', '', { part: repairName(kind) })) || name
    },
    repairPart(name: string): string {
      if (language === 'en') return name
      const kind = PART_KINDS.find((part) => partName(part) === name)
      return capitalized(kind ? repairName(kind) : textOf(`repair.${keyOf(name)}`, name))
    },
    failurePoint: (text: string) => textOf(`failure.${keyOf(text)}`, text),

    reasonDetail({ from, ...detail }: ExplainedReason['detail'], appraisal: ReasonContext): string {
      if (from === 'risk') return this.riskFactor(detail)
      return this.reason(from === 'contradiction' ? { ...detail, code: 'conflicting_input' } : detail, appraisal)
    },

    reason(reason: ReasonText, appraisal: ReasonContext): string {
      const [conflict] = appraisal.identity.contradictions
      if (reason.code === 'conflicting_input' && conflict) return contradiction(conflict, appraisal)
      if (reason.code === 'price_rule') return priceRule(reason.message, appraisal.currency)
      const values = { ...reasonValues(appraisal), percent: percentOf(reason.code, appraisal) }
      return textOf(`reason.${reason.code}`, reason.message, values)
    },

    rejectedPlan({ plan, reason }: NonNullable<AppraisalWire['rejected_plans']>[number]): string {
      if (/^Nothing/.test(reason)) return textOf('rejectedPlan.nothing_to_repair', reason)
      if (/better grade/.test(reason)) return textOf('rejectedPlan.upgrade_unknown', reason)
      const [, repair] = /^Repair cost unknown: (.*)\.$/.exec(reason) ?? []
      if (repair) return textOf('rejectedPlan.cost_unknown', reason, { repair })
      return plan === 'sell_for_parts' && /^Part/.test(reason) ? textOf('rejectedPlan.sell_for_parts', reason) : reason
    },
  }
}

export type CodeTexts = ReturnType<typeof codeTexts>
type ReasonText = Pick<AppraisalWire['offer']['reasons'][number], 'code' | 'message'>
/** Clerks get no plans and no policy. */
type ReasonContext = Pick<AppraisalWire, 'offer' | 'identity' | 'risk'> &
  Partial<Pick<AppraisalWire, 'plans' | 'policy' | 'currency'>>

/** An amount of an English message, such as "€1,250.00". */
const toMinorUnits = (text: string, currency: string) =>
  Math.round(Number(text.replace(/[^\d.]/g, '')) * minorUnitsPerUnit(currency))
