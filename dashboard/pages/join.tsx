import { type FormEvent, useEffect, useState } from 'react'
import type { LinkWire } from '../../src/contract/account.ts'
import { LEAST_PASSWORD_LENGTH } from '../../src/contract/people.ts'
import { go, Link, useAddress } from '../address.tsx'
import { post, useChange } from '../ask.ts'
import { Button, Field, Loading, Problem } from '../parts/basics.tsx'
import { SignInFrame } from './sign-in.tsx'

export function JoinPage() {
  const { hash } = useAddress()
  const [link, setLink] = useState<LinkWire>()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const opening = useChange()
  const joining = useChange()

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each link
  useEffect(() => {
    opening.run(async () => setLink((await post<LinkWire>('/account/link', { token: hash })).data))
  }, [hash])

  async function submit(event: FormEvent) {
    event.preventDefault()
    await joining.run(async () => {
      await post('/account/join', { token: hash, password, ...(name.trim() ? { name } : {}) })
      go('/dashboard', 'replace')
    })
  }

  if (opening.error) {
    return (
      <SignInFrame title="This link does not work">
        <p>It was used already, or it is more than three days old. Ask for a new one.</p>
        <Link className="button button-plain" to="/dashboard/sign-in">
          Sign in instead
        </Link>
      </SignInFrame>
    )
  }
  if (!link) {
    return (
      <SignInFrame title="One moment">
        <Loading lines={3} />
      </SignInFrame>
    )
  }
  const choosing = link.new_person || link.purpose === 'sign_in'
  return (
    <SignInFrame title={link.organization ? `Join ${link.organization}` : 'Welcome'}>
      <p>
        You are <strong>{link.email}</strong>
        {link.role ? ` and will be ${link.role === 'owner' ? 'an owner' : 'a member'}` : ''}.
      </p>
      <form onSubmit={submit} className="stack">
        <input type="hidden" autoComplete="username" value={link.email} readOnly />
        {link.new_person ? (
          <Field label="Your name">
            {(props) => (
              <input
                {...props}
                autoComplete="name"
                maxLength={100}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
        ) : null}
        <Field
          label={choosing ? 'Choose a password' : 'Your password'}
          hint={
            choosing ? `At least ${LEAST_PASSWORD_LENGTH} characters. A few unrelated words are a good one.` : undefined
          }
        >
          {(props) => (
            <input
              {...props}
              type="password"
              autoComplete={choosing ? 'new-password' : 'current-password'}
              minLength={choosing ? LEAST_PASSWORD_LENGTH : 1}
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        {joining.error ? <Problem error={joining.error} /> : null}
        <Button look="main" type="submit" busy={joining.busy}>
          {choosing ? 'Set password and sign in' : 'Join'}
        </Button>
      </form>
    </SignInFrame>
  )
}
