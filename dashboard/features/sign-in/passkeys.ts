import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import i18next from 'i18next'
import { RequestError } from '../../api.ts'

/** What the browser returns, as JSON; the service verifies it. */
type PasskeyResponse = { [field: string]: unknown; id: string }

/** Browsers allow passkeys on host names only, not on IP addresses such as 127.0.0.1. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)
}

/** Loaded on first use: most pages never need it. */
const library = () => import('@simplewebauthn/browser')

export async function createPasskey(options: object): Promise<PasskeyResponse> {
  const { startRegistration } = await library()
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return { ...(await startRegistration({ optionsJSON }).catch(throwNoPasskey)) }
}

export async function authenticateWithPasskey(options: object): Promise<PasskeyResponse> {
  const { startAuthentication } = await library()
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return { ...(await startAuthentication({ optionsJSON }).catch(throwNoPasskey)) }
}

/** The user may simply have closed the browser's prompt. */
function throwNoPasskey(): never {
  throw new RequestError(0, 'UNREADABLE', i18next.t('sign-in:passkeyFailed'))
}
