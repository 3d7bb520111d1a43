import i18next from 'i18next'
import type { ErrorCode } from '../src/contract/error-catalogue.ts'
import type { ReasonParams } from '../src/lib/reasons.ts'

type ServiceError = {
  readonly code: ErrorCode
  readonly message: string
  readonly reason_code?: string | undefined
  readonly params?: ReasonParams | undefined
}

/** Reasons whose English message says more than their sentence. */
const GENERAL = ['technical', 'value_missing', 'value_not_accepted', 'not_found']

/** The sentence of a reason in the language of the page; null for one that the page does not know. */
function reasonText(code: string, params: ReasonParams = {}): string | null {
  if (!i18next.exists(`errors:${code}`)) return null
  return i18next.t(`errors:${code}` as 'errors:tier_needed', { tier: '', ...params })
}

/** The text of an error in the language of the page. */
export function errorText({ code, message, reason_code: reason = 'technical', params }: ServiceError): string {
  if (i18next.language === 'en' && GENERAL.includes(reason)) return message
  return (reason === 'technical' ? null : reasonText(reason, params)) ?? i18next.t(`error.code.${code}`)
}
