import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { LEAST_PASSWORD_LENGTH } from '../../src/contract/people.ts'
import { queryClient, useChange } from '../answers.ts'
import { Button, Field, Problem } from '../parts/basics.tsx'
import { post } from '../service.ts'

const EMPTY = { code: '', organization: '', email: '', password: '' }

/** The first owner of a service that nobody can sign in to yet. */
export function SetupForm() {
  const [, navigate] = useLocation()
  const [given, setGiven] = useState(EMPTY)
  const change = useChange()
  const value = (name: keyof typeof EMPTY) => ({
    required: true,
    value: given[name],
    onChange: (event: { target: { value: string } }) => setGiven({ ...given, [name]: event.target.value }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(async () => {
      await post('/account/setup', given)
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
        <Field
          label="Set-up code"
          hint="Printed where the service was started, or in setup-code.txt in its data folder. It works once."
        >
          {(props) => (
            <input
              {...props}
              // biome-ignore lint/a11y/noAutofocus: the one thing this page is for
              autoFocus
              className="code-field"
              autoComplete="off"
              spellCheck={false}
              {...value('code')}
            />
          )}
        </Field>
        <Field label="Organization" hint="Your shop or company. It can be renamed.">
          {(props) => <input {...props} autoComplete="organization" maxLength={100} {...value('organization')} />}
        </Field>
        <Field label="Email">
          {(props) => <input {...props} type="email" autoComplete="username" {...value('email')} />}
        </Field>
        <Field
          label="Password"
          hint={`At least ${LEAST_PASSWORD_LENGTH} characters. A few unrelated words are a good one.`}
        >
          {(props) => (
            <input
              {...props}
              type="password"
              autoComplete="new-password"
              minLength={LEAST_PASSWORD_LENGTH}
              {...value('password')}
            />
          )}
        </Field>
        {change.error ? <Problem error={change.error} /> : null}
        <Button look="main" type="submit" busy={change.isPending}>
          Set up and sign in
        </Button>
      </form>
      <p className="hint">
        No code at hand? <code>device-intelligence user setup-code</code> on the machine prints another.
      </p>
    </>
  )
}
