import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import i18next from 'i18next'
import { RequestError } from '../../api.ts'

export type PasskeyChallenge = { token: string; question: object }

/** Browsers allow passkeys on host names only, not on IP addresses such as 127.0.0.1. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)
}

/** Loaded on first use: most pages never need it. */
const library = () => import('@simplewebauthn/browser')

export async function createPasskey(question: object): Promise<object> {
  const { startRegistration } = await library()
  return startRegistration({ optionsJSON: question as PublicKeyCredentialCreationOptionsJSON }).catch(throwNoPasskey)
}

export async function authenticateWithPasskey(question: object): Promise<object> {
  const { startAuthentication } = await library()
  return startAuthentication({ optionsJSON: question as PublicKeyCredentialRequestOptionsJSON }).catch(throwNoPasskey)
}

/** The user may simply have closed the browser's prompt. */
function throwNoPasskey(): never {
  throw new RequestError(0, 'UNREADABLE', i18next.t('sign-in:passkeyFailed'))
}
