import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { RequestError } from '../../api.ts'

export type PasskeyChallenge = { token: string; question: object }

/** Browsers give passkeys to names alone, not to addresses such as 127.0.0.1. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)
}

/** The library comes when a passkey is used: most pages never need it. */
const library = () => import('@simplewebauthn/browser')

export async function createPasskey(question: object): Promise<object> {
  const { startRegistration } = await library()
  return startRegistration({ optionsJSON: question as PublicKeyCredentialCreationOptionsJSON }).catch(throwNoPasskey)
}

export async function authenticateWithPasskey(question: object): Promise<object> {
  const { startAuthentication } = await library()
  return startAuthentication({ optionsJSON: question as PublicKeyCredentialRequestOptionsJSON }).catch(throwNoPasskey)
}

/** Whoever closes the browser's own window has not done anything wrong; it is only said that nothing came of it. */
function throwNoPasskey(): never {
  throw new RequestError(0, 'UNREADABLE', 'The browser gave no passkey. Try again, or choose another way.')
}
