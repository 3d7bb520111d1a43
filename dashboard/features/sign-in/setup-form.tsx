import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { MIN_PASSWORD_LENGTH } from '../../../src/contract/account-limits.ts'
import { apiPost } from '../../api.ts'
import { queryClient, useApiMutation } from '../../queries.ts'
import { Button, ErrorMessage, TextField } from '../../ui/basics.tsx'

const EMPTY = { code: '', organization: '', email: '', password: '' }

/** The first owner of a service that nobody can sign in to yet. */
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
        Nobody can sign in yet. Make yourself the first owner; everybody else is invited from inside. The set-up code
        shows that the service is yours.
      </p>
      <form onSubmit={submit} className="stack">
        <TextField
          label="Set-up code"
          hint="Printed where the service was started, or in setup-code.txt in its data folder. It works once."
          autoFocus
          className="code-field"
          autoComplete="off"
          spellCheck={false}
          {...value('code')}
        />
        <TextField
          label="Organization"
          hint="Your shop or company. It can be renamed."
          autoComplete="organization"
          maxLength={100}
          {...value('organization')}
        />
        <TextField label="Email" type="email" autoComplete="username" {...value('email')} />
        <TextField
          label="Password"
          hint={`At least ${MIN_PASSWORD_LENGTH} characters. A few unrelated words are a good one.`}
          type="password"
          autoComplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          {...value('password')}
        />
        {change.error ? <ErrorMessage error={change.error} /> : null}
        <Button variant="main" type="submit" isBusy={change.isPending}>
          Set up and sign in
        </Button>
      </form>
      <p className="hint">
        No code at hand? <code>device-intelligence user setup-code</code> on the machine prints another.
      </p>
    </>
  )
}
