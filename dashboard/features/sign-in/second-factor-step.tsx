import { type FormEvent, useState } from 'react'
import type { SecondFactorChallengeWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { useApiMutation } from '../../queries.ts'
import { Button, ErrorMessage, TextField } from '../../ui/basics.tsx'
import { authenticateWithPasskey } from './passkeys.ts'
import { SignInFrame } from './sign-in-page.tsx'

/** After the password: a code of the app, a passkey, or one of the codes that were kept for a bad day. */
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
    <SignInFrame title="One more step">
      {asked.passkey ? (
        <Button variant="main" isBusy={change.isPending} onClick={withPasskey}>
          Use your passkey
        </Button>
      ) : null}
      <form onSubmit={submit} className="stack">
        <TextField
          label={isApp ? 'Code of your authenticator app' : 'Recovery code'}
          hint={
            isApp
              ? 'Six digits, new every half minute.'
              : 'One of those you kept when you set this up. Each works once.'
          }
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
            {isApp ? 'Use a recovery code' : 'Use the app'}
          </Button>
        ) : null}
        <Button variant="bare" onClick={restart}>
          Start again
        </Button>
      </p>
      <p className="hint">
        Lost all of it? Whoever runs this service can take it away with <code>user reset-second-factor</code>.
      </p>
    </SignInFrame>
  )
}
