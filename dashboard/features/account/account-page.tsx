import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MIN_PASSWORD_LENGTH } from '../../../src/contract/account-limits.ts'
import { callApi } from '../../api.ts'
import { formatRelativeTime } from '../../format.ts'
import { useChangeLanguage } from '../../language.ts'
import { useApiMutation, useOperation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmailField, Field, PasswordField, TextField } from '../../ui/field.tsx'
import { ApiForm } from '../../ui/form.tsx'
import { LanguageSelect } from '../../ui/language-select.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { ErrorMessage, QueryView } from '../../ui/states.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'

/** Browser and system from a user agent, such as "Chrome on Linux". */
function browserName(agent: string, t: TFunction<'account'>): string {
  const found = ['Edg', 'Firefox', 'Chrome', 'Safari', 'curl'].find((name) => agent.includes(name))
  const browser = found === 'Edg' ? 'Edge' : (found ?? t('sessions.browser'))
  const system = ['Windows', 'Android', 'iPhone', 'Mac', 'Linux'].find((name) => agent.includes(name))
  return system ? t('sessions.browserOn', { browser, system }) : browser
}

export function AccountPage() {
  const { t } = useTranslation('account')
  const session = useSession()
  return (
    <>
      <PageHeader title={t('title')} lead={session.person.email} />
      <div className="columns">
        <div className="stack">
          <SecondFactorCard />
          <SessionsCard />
        </div>
        <div className="stack">
          <ProfileCard />
          <EmailCard />
          <LanguageCard />
          <PasswordCard />
        </div>
      </div>
    </>
  )
}

function ProfileCard() {
  const { t } = useTranslation(['account', 'common'])
  const { person } = useSession()
  const [name, setName] = useState(person.name)
  return (
    <Card title={t('profile.title')}>
      <ApiForm
        action={t('common:action.save')}
        saved={t('common:saved')}
        send={async () => {
          await callApi('PATCH /account/profile', { body: { name } })
        }}
      >
        <TextField
          label={t('profile.name')}
          autoComplete="name"
          maxLength={100}
          required
          value={name}
          onValueChange={setName}
        />
      </ApiForm>
    </Card>
  )
}

/** A new address is proven by a mailed link; without mail another owner changes it. */
function EmailCard() {
  const { t } = useTranslation('account')
  const { person, sends_mail: sendsMail } = useSession()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const send = async () => {
    await callApi('PATCH /account/profile', { body: { email, password } })
    setPassword('')
  }
  return (
    <Card title={t('email.title')} note={person.email}>
      {sendsMail ? (
        <ApiForm action={t('email.change')} saved={t('email.mailed')} send={send}>
          <EmailField
            label={t('email.next')}
            hint={t('email.hint')}
            autoComplete="email"
            value={email}
            onValueChange={setEmail}
          />
          <PasswordField label={t('email.password')} value={password} onValueChange={setPassword} />
        </ApiForm>
      ) : (
        <p>{t('email.byOwner')}</p>
      )}
    </Card>
  )
}

function LanguageCard() {
  const { t } = useTranslation()
  const { person } = useSession()
  const change = useChangeLanguage()
  return (
    <Card title={t('language.label')}>
      <Field label={t('language.label')} hint={t('language.hint')}>
        {({ id }) => (
          <LanguageSelect id={id} value={person.language} automatic={t('language.browser')} choose={change} />
        )}
      </Field>
    </Card>
  )
}

function PasswordCard() {
  const { t } = useTranslation('account')
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const send = async () => {
    await callApi('PATCH /account/profile', { body: { password: current, new_password: next } })
    setCurrent('')
    setNext('')
  }
  return (
    <Card title={t('password.title')} note={t('password.note')}>
      <ApiForm action={t('password.change')} saved={t('password.changed')} send={send}>
        <PasswordField label={t('password.current')} value={current} onValueChange={setCurrent} />
        <PasswordField
          label={t('password.next')}
          hint={t('password.hint', { length: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          value={next}
          onValueChange={setNext}
        />
      </ApiForm>
    </Card>
  )
}

function SessionsCard() {
  const { t } = useTranslation(['account', 'common'])
  const query = useOperation('GET /account/sessions', {})
  const change = useApiMutation()
  const end = (id: string) => change.mutate(() => callApi('DELETE /account/sessions/{id}', { params: { id } }))
  return (
    <Card title={t('sessions.title')}>
      <ErrorMessage error={change.error} />
      <QueryView query={query}>
        {(sessions) => (
          <ul className="plain-list">
            {sessions.map((session) => (
              <li key={session.id}>
                <span>
                  <strong>{browserName(session.agent, t)}</strong>{' '}
                  {session.current ? <Badge tone="good">{t('sessions.current')}</Badge> : null}
                  <span className="muted block">
                    {session.address} · {formatRelativeTime(session.seen_at)}
                  </span>
                </span>
                {session.current ? null : <Button onClick={() => end(session.id)}>{t('common:action.signOut')}</Button>}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  )
}
