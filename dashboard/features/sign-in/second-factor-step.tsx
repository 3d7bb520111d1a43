import { type FormEvent, useState } from 'react'
import type { SecondFactorChallengeWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
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
  enter: () => void
  restart: () => void
}) {
  const [way, setWay] = useState<'code' | 'recovery_code'>(challenge.totp ? 'code' : 'recovery_code')
  const [typed, setTyped] = useState('')
  const change = useApiMutation()
  const show = (shown: object) =>
    change.mutate(async () => {
      await apiPost('/account/sign-in/second', { token: challenge.token, ...shown })
      enter()
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    show({ [way]: typed })
  }
  const withPasskey = () =>
    change.mutate(async () => {
      const passkey = await authenticateWithPasskey(challenge.passkey ?? {})
      await apiPost('/account/sign-in/second', { token: challenge.token, passkey })
      enter()
    })
  const isApp = way === 'code'
  return (
    <SignInFrame title="Two-factor authentication">
      {challenge.passkey ? (
        <Button variant="primary" isBusy={change.isPending} onClick={withPasskey}>
          Use your passkey
        </Button>
      ) : null}
      <form onSubmit={submit} className="stack">
        <TextField
          label={isApp ? 'Authenticator code' : 'Recovery code'}
          hint={isApp ? 'The six-digit code from your authenticator app.' : 'Each recovery code works once.'}
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
        {change.error ? <ErrorMessage error={change.error} /> : null}
        <Button variant={challenge.passkey ? 'plain' : 'primary'} type="submit" isBusy={change.isPending}>
          Continue
        </Button>
      </form>
      <p className="inline-actions">
        {challenge.totp && challenge.recovery_codes ? (
          <Button
            variant="link"
            onClick={() => {
              setTyped('')
              setWay(isApp ? 'recovery_code' : 'code')
            }}
          >
            {isApp ? 'Use a recovery code' : 'Use the authenticator app'}
          </Button>
        ) : null}
        <Button variant="link" onClick={restart}>
          Back to sign-in
        </Button>
      </p>
      <p className="hint">
        Lost access? The operator can reset it with <code>user reset-second-factor</code>.
      </p>
    </SignInFrame>
  )
}
