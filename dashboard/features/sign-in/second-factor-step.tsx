import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { SecondFactorChallengeWire } from '../../../src/contract/account.ts'
import { callApi } from '../../api.ts'
import { useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { authenticateWithPasskey } from './passkeys.ts'
import { SignInFrame } from './sign-in-page.tsx'

/** Second step of the sign-in: authenticator code, passkey or recovery code. */
export function SecondFactorStep({
  challenge,
  enter,
  restart,
}: {
  challenge: SecondFactorChallengeWire
  enter: () => void | Promise<void>
  restart: () => void
}) {
  const { t } = useTranslation('sign-in')
  const [way, setWay] = useState<'code' | 'recovery_code'>(challenge.totp ? 'code' : 'recovery_code')
  const [typed, setTyped] = useState('')
  const change = useApiMutation()
  const signIn = (getFactor: () => Promise<object>) =>
    change.mutate(async () => {
      await callApi('POST /account/sign-in/continue', { body: { token: challenge.token, ...(await getFactor()) } })
      await enter()
    })
  const submit = () => signIn(async () => ({ [way]: typed }))
  const withPasskey = () => signIn(async () => ({ passkey: await authenticateWithPasskey(challenge.passkey ?? {}) }))
  const isApp = way === 'code'
  return (
    <SignInFrame title={t('second.title')}>
      {challenge.passkey ? (
        <Button variant="primary" isBusy={change.isPending} onClick={withPasskey}>
          {t('second.passkey')}
        </Button>
      ) : null}
      <Form submit={submit} className="stack">
        <TextField
          label={t(isApp ? 'second.code' : 'second.recovery')}
          hint={t(isApp ? 'second.codeHint' : 'second.recoveryHint')}
          autoFocus
          key={way}
          className="code-field"
          inputMode={isApp ? 'numeric' : 'text'}
          autoComplete={isApp ? 'one-time-code' : 'off'}
          spellCheck={false}
          required
          value={typed}
          onValueChange={setTyped}
        />
        <ErrorMessage error={change.error} />
        <Button variant={challenge.passkey ? 'plain' : 'primary'} type="submit" isBusy={change.isPending}>
          {t('second.continue')}
        </Button>
      </Form>
      <p className="inline-actions">
        {challenge.totp && challenge.recovery_codes ? (
          <Button
            variant="link"
            onClick={() => {
              setTyped('')
              setWay(isApp ? 'recovery_code' : 'code')
            }}
          >
            {t(isApp ? 'second.useRecovery' : 'second.useApp')}
          </Button>
        ) : null}
        <Button variant="link" onClick={restart}>
          {t('second.back')}
        </Button>
      </p>
      <p className="hint">
        <Trans t={t} i18nKey="second.help" components={{ code: <code /> }} />
      </p>
    </SignInFrame>
  )
}
