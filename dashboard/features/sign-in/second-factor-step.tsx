import { type FormEvent, useState } from 'react'
import type { SecondFactorChallengeWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { useApiMutation } from '../../queries.ts'
import { Button, ErrorMessage, TextField } from '../../ui/basics.tsx'
import { authenticateWithPasskey } from './passkeys.ts'
import { SignInFrame } from './sign-in-page.tsx'

/** Second step of the sign-in: authenticator code, passkey or recovery code. */
export function SecondFactorStep({
  asked,
  enter,
  restart,
}: {
  asked: SecondFactorChallengeWire
  enter: () => void
  restart: () => void
}) {
  const [way, setWay] = useState<'code' | 'recovery_code'>(asked.totp ? 'code' : 'recovery_code')
  const [typed, setTyped] = useState('')
  const change = useApiMutation()
  const show = (shown: object) =>
    change.mutate(async () => {
      await apiPost('/account/sign-in/second', { token: asked.token, ...shown })
      enter()
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    show({ [way]: typed })
  }
  const withPasskey = () =>
    change.mutate(async () => {
      const passkey = await authenticateWithPasskey(asked.passkey ?? {})
      await apiPost('/account/sign-in/second', { token: asked.token, passkey })
      enter()
    })
  const isApp = way === 'code'
  return (
    <SignInFrame title="Two-factor authentication">
      {asked.passkey ? (
        <Button variant="main" isBusy={change.isPending} onClick={withPasskey}>
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
        <Button variant={asked.passkey ? 'plain' : 'main'} type="submit" isBusy={change.isPending}>
          Continue
        </Button>
      </form>
      <p className="inline-actions">
        {asked.totp && asked.recovery_codes ? (
          <Button
            variant="bare"
            onClick={() => {
              setTyped('')
              setWay(isApp ? 'recovery_code' : 'code')
            }}
          >
            {isApp ? 'Use a recovery code' : 'Use the authenticator app'}
          </Button>
        ) : null}
        <Button variant="bare" onClick={restart}>
          Back to sign-in
        </Button>
      </p>
      <p className="hint">
        Lost access? The operator can reset it with <code>user reset-second-factor</code>.
      </p>
    </SignInFrame>
  )
}
