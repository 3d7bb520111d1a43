import { memoize } from './memoize.ts'
import { REJECTIONS, REMARKS, type RejectionCode, type RemarkCode } from './rejections.ts'
import { translator } from './translations.ts'

/** Sentences of rejected rows and remarks for commands, reports and downloads. */

type Language = Parameters<typeof translator>[0]

/** More than there are; codes of other versions count as well. */
const MAX_CODES = 500

const textsOf = memoize(16, (language: Language) => translator(language, ['rejections']))
const isRejection = (code: string): code is RejectionCode => Object.hasOwn(REJECTIONS, code)
const isRemark = (code: string): code is RemarkCode => REMARKS.includes(code as RemarkCode)

/** A code of another version stays a code. */
export const rejectionText = (code: string, language: Language): string =>
  isRejection(code) ? textsOf(language)(`reason.${code}`) : code

/** Cached, because a report writes one for each of up to millions of rejected rows. */
export const englishRejection = memoize(MAX_CODES, (code: string): string => rejectionText(code, 'en'))

/** `remark` is a code, or a code and what it is about: `stale_rate:EUR 2024-05-01`. */
export function englishRemark(remark: string): string {
  const [code = '', ...detail] = remark.split(':')
  return isRemark(code) ? textsOf('en')(`remark.${code}`, { detail: detail.join(':') }) : remark
}

/** The code of an English sentence, as reports on disk have it. */
export const rejectionOfEnglish = (sentence: string): string | undefined => codesByEnglish('').get(sentence)

const codesByEnglish = memoize(1, (_: string) => {
  const codes = Object.keys(REJECTIONS) as RejectionCode[]
  return new Map<string, RejectionCode>(codes.map((code) => [englishRejection(code), code]))
})
