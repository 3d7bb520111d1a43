import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { announceSignIn } from './sign-in-channel.ts'
import { SignInFrame } from './sign-in-page.tsx'

/** The end of a sign-in in a window of its own: the page that waits for it continues, and this window closes. */
export function SignedInPage() {
  const { t } = useTranslation('sign-in')
  useEffect(() => {
    announceSignIn()
    window.close()
  }, [])
  return (
    <SignInFrame title={t('signedIn')}>
      <p>{t('closeWindow')}</p>
      <p>
        <Link className="button button-plain" to="/dashboard">
          {t('openDashboard')}
        </Link>
      </p>
    </SignInFrame>
  )
}
