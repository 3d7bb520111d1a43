import { type ReactNode, useEffect, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { useLocation, useSearchParams } from 'wouter'
import type { OrganizationChoiceWire, SecondFactorChallengeWire } from '../../../src/contract/account.ts'
import type { Language } from '../../../src/contract/languages.ts'
import { callApi, type RequestError } from '../../api.ts'
import { browserLanguage, currentLanguage, showLanguage, storeLanguage } from '../../i18n.ts'
import { queryClient, useApiMutation, useOperation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField, PasswordField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { LanguageSelect } from '../../ui/language-select.tsx'
import { ErrorMessage, LoadingSkeleton } from '../../ui/states.tsx'
import { authenticateWithPasskey, canUsePasskeys } from './passkeys.ts'
import { SecondFactorStep } from './second-factor-step.tsx'
import { SetupForm } from './setup-form.tsx'
import { announceSignIn } from './sign-in-channel.ts'

/** Before sign-in the choice belongs to the browser. */
function chooseLanguage(language: Language | null): void {
  storeLanguage(language)
  void showLanguage(language ?? browserLanguage())
}

export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation('sign-in')
  useEffect(() => {
    document.title = `${title} · Device Intelligence`
  }, [title])
  return (
    <main className="sign-in" id="content">
      <div className="sign-in-pane">
        <p className="brand">
          <span className="mark" aria-hidden="true" />
          Device Intelligence
        </p>
        <h1>{title}</h1>
        {children}
      </div>
      <aside className="sign-in-side">
        <p className="sign-in-claim">{t('claim')}</p>
        <p>
          <a href="/docs">{t('apiReference')}</a>
        </p>
        <LanguageSelect value={currentLanguage()} choose={chooseLanguage} />
      </aside>
    </main>
  )
}

/** Shows the setup form until the first owner exists. */
export function SignInPage() {
  const { t } = useTranslation('sign-in')
  const options = useOperation('GET /account/sign-in', {})
  if (options.isPending) {
    return (
      <SignInFrame title={t('loading')}>
        <LoadingSkeleton lines={3} />
      </SignInFrame>
    )
  }
  if (options.data?.data.setup_needed) {
    return (
      <SignInFrame title={t('setup.title')}>
        <SetupForm {...options.data.data} />
      </SignInFrame>
    )
  }
  return <SignInToAddress />
}

/** Signs in and opens the address that the person wanted, or the overview. */
function SignInToAddress() {
  const { t } = useTranslation('sign-in')
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  function enter() {
    const next = query.get('next') ?? '/dashboard'
    // Only dashboard paths: anything else would be an open redirect.
    announceSignIn()
    queryClient.clear()
    navigate(/^\/dashboard(?:[/?#]|$)/.test(next) ? next : '/dashboard', { replace: true })
  }
  // A device that scanned the code of a signed-in one; the token is in the fragment, which no server log sees.
  const { error, mutate } = useApiMutation()
  useEffect(() => {
    const token = new URLSearchParams(location.hash.slice(1)).get('device')
    if (!token) return
    history.replaceState(null, '', location.pathname)
    mutate(async () => {
      await callApi('POST /account/sign-in/continue', { body: { token } })
      queryClient.clear()
      navigate('/dashboard', { replace: true })
    })
  }, [mutate, navigate])
  return <SignInForm lead={query.has('next') ? t('continue') : undefined} linkError={error} enter={enter} />
}

/** Codes of the redirect after a sign-in with the issuer that failed; each has a text. */
const SIGN_ON_FAILURES = [
  'unavailable',
  'cancelled',
  'expired',
  'rejected',
  'no_email',
  'unverified_email',
  'unknown_domain',
] as const

/** A size in which the pages of issuers have room. */
const SIGN_IN_WINDOW = 'popup,width=520,height=720'

/** `isOnTop`: the page below keeps what was typed, so the issuer gets a window of its own. */
function IssuerSignIn({ issuer, isOnTop }: { issuer: string; isOnTop: boolean }) {
  const { t } = useTranslation('sign-in')
  const [query] = useSearchParams()
  const failure = SIGN_ON_FAILURES.find((code) => code === query.get('sign_on'))
  return (
    <div className="stack">
      {failure ? (
        <div className="problem" role="alert">
          <p>{t(`signOn.${failure}`, { name: issuer })}</p>
        </div>
      ) : null}
      {isOnTop ? (
        <Button onClick={() => window.open('/account/oidc/start?own_window', 'sign-in', SIGN_IN_WINDOW)}>
          {t('signOn.button', { name: issuer })}
        </Button>
      ) : (
        <a className="button button-plain" href="/account/oidc/start">
          {t('signOn.button', { name: issuer })}
        </a>
      )}
    </div>
  )
}

/** Sign-in that ends with `enter`. */
export function SignInForm({
  lead,
  email: knownEmail = '',
  linkError = null,
  isOnTop = false,
  enter,
}: {
  /** Why the person has to sign in, if there is a reason. */
  lead?: string | undefined
  email?: string
  /** Why a link that signs in did not work. */
  linkError?: RequestError | null
  /** Whether it is shown on top of a page that stays open. */
  isOnTop?: boolean
  enter: () => void | Promise<void>
}) {
  const { t } = useTranslation('sign-in')
  const { sends_mail: sendsMail = false, issuer = null } = useOperation('GET /account/sign-in', {}).data?.data ?? {}
  const [email, setEmail] = useState(knownEmail)
  const [password, setPassword] = useState('')
  const [challenge, setChallenge] = useState<SecondFactorChallengeWire>()
  const [choice, setChoice] = useState<OrganizationChoiceWire>()
  const [isMailSent, setMailSent] = useState(false)
  const change = useApiMutation()

  const submit = () =>
    change.mutate(async () => {
      const { data } = await callApi('POST /account/sign-in', { body: { email, password } })
      if ('choose_organization' in data) setChoice(data.choose_organization)
      else if ('second_factor' in data) setChallenge(data.second_factor)
      else await enter()
    })

  const choose = (token: string, organizationId: string) =>
    change.mutate(async () => {
      const body = { token, organization_id: organizationId }
      const { data } = await callApi('POST /account/sign-in/continue', { body })
      if ('second_factor' in data) setChallenge(data.second_factor)
      else await enter()
    })

  const mailLink = () =>
    change.mutate(async () => {
      await callApi('POST /account/forgot-password', { body: { email } })
      setMailSent(true)
    })

  const withPasskey = () =>
    change.mutate(async () => {
      const { data } = await callApi('POST /account/sign-in', { body: { with_passkey: true } })
      if (!('passkey' in data)) return
      const { token, options } = data.passkey
      const passkey = await authenticateWithPasskey(options)
      await callApi('POST /account/sign-in/continue', { body: { token, passkey } })
      await enter()
    })

  if (challenge) return <SecondFactorStep challenge={challenge} enter={enter} restart={() => setChallenge(undefined)} />
  if (choice) {
    return (
      <SignInFrame title={t('chooseOrganization')}>
        <div className="stack">
          {choice.organizations.map(({ id, name }) => (
            <Button key={id} onClick={() => choose(choice.token, id)} isBusy={change.isPending}>
              {name}
            </Button>
          ))}
          <ErrorMessage error={change.error} />
        </div>
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title={t('signIn')}>
      {lead ? <p className="muted">{lead}</p> : null}
      <ErrorMessage error={linkError} />
      {issuer ? <IssuerSignIn issuer={issuer} isOnTop={isOnTop} /> : null}
      <Form submit={submit} className="stack">
        <EmailField label={t('email')} autoComplete="username" value={email} onValueChange={setEmail} />
        <PasswordField label={t('password')} value={password} onValueChange={setPassword} />
        <ErrorMessage error={change.error} />
        <Button variant="primary" type="submit" isBusy={change.isPending}>
          {t('signIn')}
        </Button>
        {canUsePasskeys() ? (
          <Button onClick={withPasskey} isBusy={change.isPending}>
            {t('usePasskey')}
          </Button>
        ) : null}
      </Form>
      {isMailSent ? (
        <p role="status">
          <Trans t={t} i18nKey="resetMailed" values={{ email }} components={{ strong: <strong /> }} />
        </p>
      ) : null}
      {sendsMail ? (
        <Button variant="link" disabled={!email.includes('@')} isBusy={change.isPending} onClick={mailLink}>
          {t('forgotPassword')}
        </Button>
      ) : null}
      <p className="hint">{t(sendsMail ? 'helpByMail' : 'help')}</p>
    </SignInFrame>
  )
}
