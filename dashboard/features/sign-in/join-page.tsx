import { useEffect, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'
import type { LinkWire, SecondFactorChallengeWire } from '../../../src/contract/account.ts'
import { MIN_PASSWORD_LENGTH } from '../../../src/contract/account-limits.ts'
import { callApi } from '../../api.ts'
import { queryClient, useApiMutation } from '../../queries.ts'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { ApiForm } from '../../ui/form.tsx'
import { LoadingSkeleton } from '../../ui/states.tsx'
import { SecondFactorStep } from './second-factor-step.tsx'
import { SignInFrame } from './sign-in-page.tsx'

export function JoinPage() {
  const { t } = useTranslation(['sign-in', 'common'])
  const token = useLocationProperty(() => location.hash).slice(1)
  const [, navigate] = useLocation()
  const [link, setLink] = useState<LinkWire>()
  const [challenge, setChallenge] = useState<SecondFactorChallengeWire>()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const opening = useApiMutation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per link
  useEffect(() => {
    opening.mutate(async () => setLink((await callApi('POST /account/link', { body: { token } })).data))
  }, [token])

  function enter() {
    queryClient.clear()
    navigate('/dashboard', { replace: true })
  }

  async function join() {
    const body = { token, password, ...(name.trim() ? { name } : {}) }
    const { data } = await callApi('POST /account/link/use', { body })
    if ('second_factor' in data) setChallenge(data.second_factor)
    else enter()
  }

  async function confirmEmail() {
    await callApi('POST /account/link/use', { body: { token } })
    enter()
  }

  if (challenge)
    return <SecondFactorStep challenge={challenge} enter={enter} restart={() => navigate('/dashboard/sign-in')} />
  if (opening.error) {
    return (
      <SignInFrame title={t('join.invalid')}>
        <p>{t('join.invalidHint')}</p>
        <Link className="button button-plain" to="/dashboard/sign-in">
          {t('join.signInInstead')}
        </Link>
      </SignInFrame>
    )
  }
  if (!link) {
    return (
      <SignInFrame title={t('loading')}>
        <LoadingSkeleton lines={3} />
      </SignInFrame>
    )
  }
  if (link.purpose === 'email_change') {
    return (
      <SignInFrame title={t('join.newEmail')}>
        <p>
          <Trans t={t} i18nKey="join.newEmailHint" values={link} components={{ strong: <strong /> }} />
        </p>
        <ApiForm action={t('join.confirmEmail')} send={confirmEmail}>
          {null}
        </ApiForm>
      </SignInFrame>
    )
  }
  const isInvitation = link.purpose === 'invitation'
  return (
    <SignInFrame title={isInvitation ? t('join.title', { organization: link.organization }) : t('join.newPassword')}>
      <p>
        <Trans
          t={t}
          i18nKey={link.role ? 'join.asRole' : 'join.as'}
          values={{ email: link.email, role: link.role && t(`common:role.${link.role}`) }}
          components={{ strong: <strong /> }}
        />
      </p>
      <ApiForm action={t('join.setPassword')} send={join}>
        <input type="hidden" autoComplete="username" value={link.email} readOnly />
        {isInvitation ? (
          <TextField label={t('join.name')} autoComplete="name" maxLength={100} value={name} onValueChange={setName} />
        ) : null}
        <PasswordField
          label={t('join.choosePassword')}
          hint={t('passwordHint', { length: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          value={password}
          onValueChange={setPassword}
        />
      </ApiForm>
    </SignInFrame>
  )
}
