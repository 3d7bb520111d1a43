import i18next from 'i18next'
import type { ErrorCode } from '../src/contract/error-catalogue.ts'
import type en from './locales/en.json'

type ErrorTextKey = Exclude<keyof typeof en.common.error, 'code'>

/** Messages of the service that a page says in its own words, with the names of their parts. */
const PATTERNS: readonly (readonly [pattern: RegExp, key: ErrorTextKey])[] = [
  [/^Only an owner of the organization may do this\.$/, 'ownerOnly'],
  [/^Only a manager or an owner of the organization may do this\.$/, 'managerOnly'],
  [/^Only the organization that runs this service may do this\.$/, 'operatorOnly'],
  [/ needs (?:a key of )?the (?<tier>\w+) tier /, 'tier'],
  [/^Your organization requires a second factor\./, 'secondFactor'],
  [/^(?<email>\S+@\S+) is not a manager or an owner/, 'notManager'],
  [/^(?<email>\S+@\S+) uses passkeys/, 'usesPasskeys'],
  [/^Reports show margins\./, 'margins'],
  [/^This service sends no mail, so a new address/, 'noMail'],
  [/^Sign in first\.$/, 'signIn'],
  [/^The sign-in expired\./, 'signInExpired'],
  [/^The email or the password is wrong\.$/, 'credentials'],
  [/^The current password is wrong\.$/, 'passwordWrong'],
  [/ requires sign-in with (?<issuer>.+)\. Use that button\.$/, 'issuer'],
  [/^The set-up code is wrong\./, 'setupCode'],
  [/^The code(?: or passkey)? is wrong\.$/, 'codeWrong'],
  [/^This passkey is not registered here\.$/, 'passkeyUnknown'],
  [/^Passkeys need a host name/, 'passkeyHost'],
  [/^Cross-site requests/, 'crossSite'],
  [/^Too many attempts\./, 'tooMany'],
  [/ was not found\.$/, 'notFound'],
]

/** Errors whose message says which value or limit it is about, which a page can only repeat in English. */
const HAS_DETAIL: readonly ErrorCode[] = ['VALIDATION_ERROR', 'LIMIT_REACHED']

/** The text of an error in the language of the page. English pages show the message of the service. */
export function errorText(code: ErrorCode, message: string): string {
  if (i18next.language === 'en') return message
  for (const [pattern, key] of PATTERNS) {
    const match = pattern.exec(message)
    if (match) return i18next.t(`error.${key}` as 'error.tier', { tier: '', ...match.groups })
  }
  const text = i18next.t(`error.code.${code}`)
  return HAS_DETAIL.includes(code) ? i18next.t('error.withDetail', { text, detail: message }) : text
}
