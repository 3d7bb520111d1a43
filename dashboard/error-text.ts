import i18next from 'i18next'
import type { ErrorCode } from '../src/contract/error-catalogue.ts'
import { reasonSentence, type StatedReason } from '../src/lib/error-sentence.ts'

type ServiceError = StatedReason & { readonly code: ErrorCode }

/** The text of an error in the language of the page. */
export const errorText = (error: ServiceError): string =>
  reasonSentence(i18next.t as never, i18next.language, error) ?? i18next.t(`error.code.${error.code}`)

/** A remark of the service; null for a technical one, which is in English. */
export const noteText = (note: StatedReason): string | null =>
  reasonSentence(i18next.t as never, i18next.language, note)

/** Why something failed in the background; a technical message stays as the service wrote it. */
export function failureText(message: string | null, reason: Omit<StatedReason, 'message'> | null = null): string {
  const stated = { message: message ?? '', ...reason }
  // The English message may say more than the sentence of its reason.
  if (i18next.language === 'en') return stated.message
  return reasonSentence(i18next.t as never, i18next.language, stated) ?? stated.message
}
