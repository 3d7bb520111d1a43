import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { SessionWire } from '../../../src/contract/account.ts'
import { callApi } from '../../api.ts'
import { queryClient, setSessionEnded } from '../../queries.ts'
import { onSignInElsewhere } from './sign-in-channel.ts'
import { SignInForm } from './sign-in-page.tsx'

/** Sign-in on top of the page whose session ended. The same person continues there; someone else starts anew. */
export function SignInAgain({ session: { person, organization } }: { session: SessionWire }) {
  const { t } = useTranslation('sign-in')
  const [, navigate] = useLocation()
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    if (!dialog || dialog.open) return
    dialog.showModal()
    dialog.querySelector<HTMLElement>('input[type=password]')?.focus()
  }, [])
  async function enter() {
    const { data: now } = await callApi('GET /account/session', {})
    if (now.person.id !== person.id || now.organization.id !== organization.id) {
      queryClient.clear()
      navigate('/dashboard', { replace: true })
    }
    setSessionEnded(false)
  }
  const enterElsewhere = useEffectEvent(() => void enter())
  useEffect(() => onSignInElsewhere(enterElsewhere), [])
  return (
    <dialog
      ref={ref}
      className="sign-in-again"
      aria-label={t('signIn')}
      onCancel={(event) => event.preventDefault()}
      // Browsers close a dialog on a second Escape even if `cancel` was prevented.
      onKeyDown={(event) => (event.key === 'Escape' ? event.preventDefault() : undefined)}
    >
      <SignInForm lead={t('ended')} email={person.email} isOnTop enter={enter} />
    </dialog>
  )
}
