import { type FormEvent, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'
import type { LinkWire, SecondFactorAskedWire } from '../../src/contract/account.ts'
import { LEAST_PASSWORD_LENGTH } from '../../src/contract/people.ts'
import { queryClient, useChange } from '../answers.ts'
import { Button, Loading, Problem, TextField } from '../parts/basics.tsx'
import { post } from '../service.ts'
import { SecondStep } from './second-step.tsx'
import { SignInFrame } from './sign-in.tsx'

export function JoinPage() {
  const token = useLocationProperty(() => location.hash).slice(1)
  const [, navigate] = useLocation()
  const [link, setLink] = useState<LinkWire>()
  const [asked, setAsked] = useState<SecondFactorAskedWire>()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const opening = useChange()
  const joining = useChange()

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each link
  useEffect(() => {
    opening.mutate(async () => setLink((await post<LinkWire>('/account/link', { token })).data))
  }, [token])

  function enter() {
    queryClient.clear()
    navigate('/dashboard', { replace: true })
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    joining.mutate(async () => {
      const body = { token, password, ...(name.trim() ? { name } : {}) }
      const { data } = await post<{ second_factor?: SecondFactorAskedWire }>('/account/join', body)
      if (data.second_factor) setAsked(data.second_factor)
      else enter()
    })
  }

  if (asked) return <SecondStep asked={asked} enter={enter} restart={() => navigate('/dashboard/sign-in')} />
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
          <TextField label="Your name" autoComplete="name" maxLength={100} value={name} change={setName} />
        ) : null}
        <TextField
          label={choosing ? 'Choose a password' : 'Your password'}
          hint={
            choosing ? `At least ${LEAST_PASSWORD_LENGTH} characters. A few unrelated words are a good one.` : undefined
          }
          type="password"
          autoComplete={choosing ? 'new-password' : 'current-password'}
          minLength={choosing ? LEAST_PASSWORD_LENGTH : 1}
          required
          value={password}
          change={setPassword}
        />
        {joining.error ? <Problem error={joining.error} /> : null}
        <Button look="main" type="submit" busy={joining.isPending}>
          {choosing ? 'Set password and sign in' : 'Join'}
        </Button>
      </form>
    </SignInFrame>
  )
}
