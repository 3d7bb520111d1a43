import { type FormEvent, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { MIN_PASSWORD_LENGTH } from '../../../src/contract/account-limits.ts'
import { apiPost } from '../../api.ts'
import { queryClient, useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

const EMPTY = { code: '', organization: '', email: '', password: '' }

/** Creates the first owner of a new installation. */
export function SetupForm() {
  const { t } = useTranslation('sign-in')
  const [, navigate] = useLocation()
  const [given, setGiven] = useState(EMPTY)
  const change = useApiMutation()
  const value = (name: keyof typeof EMPTY) => ({
    required: true,
    value: given[name],
    onValueChange: (text: string) => setGiven({ ...given, [name]: text }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(async () => {
      await apiPost('/account/setup', given)
      queryClient.clear()
      navigate('/dashboard', { replace: true })
    })
  }
  return (
    <>
      <p>{t('setup.lead')}</p>
      <form onSubmit={submit} className="stack">
        <TextField
          label={t('setup.code')}
          hint={t('setup.codeHint')}
          autoFocus
          className="code-field"
          autoComplete="off"
          spellCheck={false}
          {...value('code')}
        />
        <TextField
          label={t('setup.organization')}
          hint={t('setup.organizationHint')}
          autoComplete="organization"
          maxLength={100}
          {...value('organization')}
        />
        <TextField label={t('email')} type="email" autoComplete="username" {...value('email')} />
        <TextField
          label={t('password')}
          hint={t('passwordHint', { length: MIN_PASSWORD_LENGTH })}
          type="password"
          autoComplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          {...value('password')}
        />
        {change.error ? <ErrorMessage error={change.error} /> : null}
        <Button variant="primary" type="submit" isBusy={change.isPending}>
          {t('setup.submit')}
        </Button>
      </form>
      <p className="hint">
        <Trans t={t} i18nKey="setup.help" components={{ code: <code /> }} />
      </p>
    </>
  )
}
