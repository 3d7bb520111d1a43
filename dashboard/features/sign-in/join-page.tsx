import { type FormEvent, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'
import { MIN_PASSWORD_LENGTH } from '../../../src/contract/account-limits.ts'
import type { LinkWire, SecondFactorChallengeWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { queryClient, useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorMessage, LoadingSkeleton } from '../../ui/states.tsx'
import { SecondFactorStep } from './second-factor-step.tsx'
import { SignInFrame } from './sign-in-page.tsx'

export function JoinPage() {
  const token = useLocationProperty(() => location.hash).slice(1)
  const [, navigate] = useLocation()
  const [link, setLink] = useState<LinkWire>()
  const [challenge, setChallenge] = useState<SecondFactorChallengeWire>()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const opening = useApiMutation()
  const joining = useApiMutation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per link
  useEffect(() => {
    opening.mutate(async () => setLink((await apiPost<LinkWire>('/account/link', { token })).data))
  }, [token])

  function enter() {
    queryClient.clear()
    navigate('/dashboard', { replace: true })
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    joining.mutate(async () => {
      const body = { token, password, ...(name.trim() ? { name } : {}) }
      const { data } = await apiPost<{ second_factor?: SecondFactorChallengeWire }>('/account/join', body)
      if (data.second_factor) setChallenge(data.second_factor)
      else enter()
    })
  }

  if (challenge)
    return <SecondFactorStep challenge={challenge} enter={enter} restart={() => navigate('/dashboard/sign-in')} />
  if (opening.error) {
    return (
      <SignInFrame title="This link is invalid">
        <p>It was already used or has expired. Ask for a new one.</p>
        <Link className="button button-plain" to="/dashboard/sign-in">
          Sign in instead
        </Link>
      </SignInFrame>
    )
  }
  if (!link) {
    return (
      <SignInFrame title="Loading…">
        <LoadingSkeleton lines={3} />
      </SignInFrame>
    )
  }
  const choosing = link.new_person || link.purpose !== 'invitation'
  const isReset = link.purpose === 'password_reset'
  return (
    <SignInFrame
      title={isReset ? 'Choose a new password' : link.organization ? `Join ${link.organization}` : 'Welcome'}
    >
      <p>
        Signing in as <strong>{link.email}</strong>
        {link.role ? ` (${link.role})` : ''}.
      </p>
      <form onSubmit={submit} className="stack">
        <input type="hidden" autoComplete="username" value={link.email} readOnly />
        {link.new_person ? (
          <TextField label="Your name" autoComplete="name" maxLength={100} value={name} onValueChange={setName} />
        ) : null}
        <TextField
          label={choosing ? 'Choose a password' : 'Your password'}
          hint={choosing ? `At least ${MIN_PASSWORD_LENGTH} characters. A few unrelated words work well.` : undefined}
          type="password"
          autoComplete={choosing ? 'new-password' : 'current-password'}
          minLength={choosing ? MIN_PASSWORD_LENGTH : 1}
          required
          value={password}
          onValueChange={setPassword}
        />
        {joining.error ? <ErrorMessage error={joining.error} /> : null}
        <Button variant="primary" type="submit" isBusy={joining.isPending}>
          {choosing ? 'Set password and sign in' : 'Join'}
        </Button>
      </form>
    </SignInFrame>
  )
}
