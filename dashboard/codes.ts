import i18next, { type TFunction } from 'i18next'
import { deviceTitle } from '../src/appraisal/device-title.ts'
import { createReasonTexts } from '../src/appraisal/reason-texts.ts'
import type { AppraisalWire, PlanName } from '../src/contract/appraisal.ts'
import type { ConditionGrade } from '../src/contract/condition-grades.ts'
import { DEFECTS, type DeviceKind, defectsOfKind } from '../src/contract/device-kinds.ts'
import type { Language } from '../src/contract/languages.ts'
import type { RepairWire } from '../src/contract/repair.ts'
import type { ID_KINDS, PAYOUT_METHODS } from '../src/contract/sellers.ts'
import { FAULT_KINDS, FAULTS, PART_KINDS, partName } from '../src/repairs/fault-kinds.ts'
import { formatIn } from './format.ts'
import { currentLanguage } from './i18n.ts'

type RepairNoteText = RepairWire['technical_note_codes'][number] & { readonly text: string }
type SellerIdKind = (typeof ID_KINDS)[number]
type PayoutMethod = (typeof PAYOUT_METHODS)[number]

/** Key of an English text: `M.2 drive` → `m_2_drive`. */
const keyOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '_')

/** A number with decimals and a unit, alone or before further sides: `6.1-inch`, `146.7 x 71.5 x 7.7 mm`; not `iOS 15.1`. */
const MEASURE = /\b\d+\.\d+(?=(?: x [\d.]+)*[ -]?(?:inch|[mc]m|k?g|MP|Wh|V|W|GHz|[GT]B|TFLOPS|hours)\b)/g

/** Texts for codes of the API in one language. An unknown code keeps the English text of the response. */
export function codeTexts(language: Language = currentLanguage()) {
  const format = formatIn(language)
  const translate = i18next.getFixedT(language, 'codes') as TFunction<'codes'>
  const { textOf, repairName, attributeName, gradeName, riskFactor, contradiction, reason, reasonDetail } =
    createReasonTexts(translate as never, language, format)
  const capitalized = (text: string) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1)

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
    riskFactor,
    reason,
    reasonDetail,
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
    /** The category of a device; one that was imported keeps its name. */
    category: ({ name }: { readonly name: string }) => textOf(`category.${keyOf(name)}`, name),
    /** A value of a specification, word by word: `50 MP wide + 8 MP ultrawide`. */
    specValue(value: string): string {
      if (language === 'en') return value
      return value
        .replace(MEASURE, format.decimals)
        .replace(/-inch\b/g, ' inch')
        .replace(/[A-Za-z][A-Za-z-]*/g, (word) => textOf(`specWord.${word}`, word))
    },
    /** `T3 and T5 Torx screwdrivers`: the tool, then its sizes. */
    repairTool(text: string): string {
      const whole = textOf(`repairTool.${keyOf(text)}`, '')
      if (whole || language === 'en') return whole || text
      const sizes = text.match(/\b(?=[A-Z]*\d)[A-Z\d]{2,5}\b/g) ?? []
      const name = text.replace(/\b(?=[A-Z]*\d)[A-Z\d]{2,5}\b(?:,| and)? ?/g, '').replace(/drivers$/, 'driver')
      const tool = textOf(`repairTool.${keyOf(name)}`, '')
      return tool && sizes.length > 0 ? `${tool} ${sizes.join(', ')}` : tool || text
    },
    failurePoint: (text: string) => textOf(`failure.${keyOf(text)}`, text),
    proprietaryPart: (text: string) => textOf(`proprietaryPart.${keyOf(text)}`, text),
    /** A note of a repair profile; the text of an import stays as it is. */
    repairNote({ text, code, params }: RepairNoteText, formatRate: (cents: number) => string): string {
      if (code === null) return text
      const shown = Object.entries(params).map(([name, value]) => {
        if (name === 'rate') return [name, formatRate(Number(value))]
        if (name === 'value') return [name, this.specValue(String(value))]
        return [name, Array.isArray(value) ? value.map(repairName).join(', ') : value]
      })
      return textOf(`repairNote.${code}`, text, Object.fromEntries(shown))
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
