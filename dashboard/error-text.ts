import i18next from 'i18next'
import type { ErrorCode } from '../src/contract/error-catalogue.ts'
import { reasonSentence, type StatedReason } from '../src/lib/error-sentence.ts'

type ServiceError = StatedReason & { readonly code: ErrorCode }

/** The text of an error in the language of the page. */
export const errorText = (error: ServiceError): string =>
  reasonSentence(i18next.t as never, i18next.language, error) ?? i18next.t(`error.code.${error.code}`)
