import { type FormEvent, useState } from 'react'
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
      <p>
        Create the first owner account. You can invite others later. The setup code proves that you run this service.
      </p>
      <form onSubmit={submit} className="stack">
        <TextField
          label="Setup code"
          hint="Shown in the output of the service and in setup-code.txt in its data folder. It works once."
          autoFocus
          className="code-field"
          autoComplete="off"
          spellCheck={false}
          {...value('code')}
        />
        <TextField
          label="Organization"
          hint="Your shop or company. You can rename it later."
          autoComplete="organization"
          maxLength={100}
          {...value('organization')}
        />
        <TextField label="Email" type="email" autoComplete="username" {...value('email')} />
        <TextField
          label="Password"
          hint={`At least ${MIN_PASSWORD_LENGTH} characters. A few unrelated words work well.`}
          type="password"
          autoComplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          {...value('password')}
        />
        {change.error ? <ErrorMessage error={change.error} /> : null}
        <Button variant="primary" type="submit" isBusy={change.isPending}>
          Set up and sign in
        </Button>
      </form>
      <p className="hint">
        No code? Run <code>device-intelligence user setup-code</code> on the server to get a new one.
      </p>
    </>
  )
}
