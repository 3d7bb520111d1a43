import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { Refusal } from './service.ts'

export type PasskeyQuestion = { token: string; question: object }

/** Browsers give passkeys to names alone, not to addresses such as 127.0.0.1. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)
}

/** The library comes when a passkey is used: most pages never need it. */
const library = () => import('@simplewebauthn/browser')

export async function makePasskey(question: object): Promise<object> {
  const { startRegistration } = await library()
  return startRegistration({ optionsJSON: question as PublicKeyCredentialCreationOptionsJSON }).catch(given)
}

export async function showPasskey(question: object): Promise<object> {
  const { startAuthentication } = await library()
  return startAuthentication({ optionsJSON: question as PublicKeyCredentialRequestOptionsJSON }).catch(given)
}

/** Whoever closes the browser's own window has not done anything wrong; it is only said that nothing came of it. */
function given(): never {
  throw new Refusal(0, 'UNREADABLE', 'The browser gave no passkey. Try again, or choose another way.')
}
