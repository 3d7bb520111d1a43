import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { SecondFactorAskedWire, SetupWire } from '../../src/contract/account.ts'
import { queryClient, useAnswer, useChange } from '../answers.ts'
import { Button, Loading, Problem, TextField } from '../parts/basics.tsx'
import { canUsePasskeys, type PasskeyQuestion, showPasskey } from '../passkeys.ts'
import { post } from '../service.ts'
import { SecondStep } from './second-step.tsx'
import { SetupForm } from './setup.tsx'

export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Device Intelligence`
  }, [title])
  return (
    <main className="sign-in" id="content">
      <div className="sign-in-pane">
        <p className="brand">
          <span className="mark" aria-hidden="true" />
          Device Intelligence
        </p>
        <h1>{title}</h1>
        {children}
      </div>
      <aside className="sign-in-side">
        <p className="sign-in-claim">
          What it is, what it is worth, what it costs to mend, and whether it is safe to buy.
        </p>
        <p>
          <a href="/docs">API reference</a>
        </p>
      </aside>
    </main>
  )
}

/** While nobody exists there is nobody to sign in: the first owner is made instead. */
export function SignInPage() {
  const setup = useAnswer<SetupWire>('/account/setup')
  if (setup.isPending) {
    return (
      <SignInFrame title="One moment">
        <Loading lines={3} />
      </SignInFrame>
    )
  }
  if (setup.data?.data.needed) {
    return (
      <SignInFrame title="Set up your service">
        <SetupForm />
      </SignInFrame>
    )
  }
  return <SignInForm />
}

type SignedIn = { done?: true; second_factor?: SecondFactorAskedWire }

function SignInForm() {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [asked, setAsked] = useState<SecondFactorAskedWire>()
  const change = useChange()

  function enter() {
    const next = query.get('next') ?? '/dashboard'
    // Only a path of our own: an address elsewhere would make this page a bait.
    queryClient.clear()
    navigate(/^\/dashboard(?:[/?#]|$)/.test(next) ? next : '/dashboard', { replace: true })
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    change.mutate(async () => {
      const { data } = await post<SignedIn>('/account/sign-in', { email, password })
      if (data.second_factor) setAsked(data.second_factor)
      else enter()
    })
  }

  const withPasskey = () =>
    change.mutate(async () => {
      const { data } = await post<PasskeyQuestion>('/account/sign-in/passkey-question', {})
      await post('/account/sign-in/passkey', { token: data.token, response: await showPasskey(data.question) })
      enter()
    })

  if (asked) return <SecondStep asked={asked} enter={enter} restart={() => setAsked(undefined)} />
  return (
    <SignInFrame title="Sign in">
      <form onSubmit={submit} className="stack">
        <TextField label="Email" type="email" autoComplete="username" required value={email} change={setEmail} />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          change={setPassword}
        />
        {change.error ? <Problem error={change.error} /> : null}
        <Button look="main" type="submit" busy={change.isPending}>
          Sign in
        </Button>
        {canUsePasskeys() ? (
          <Button onClick={withPasskey} busy={change.isPending}>
            Use a passkey
          </Button>
        ) : null}
      </form>
      <p className="hint">
        No account? An owner of your organization can send you a link. Lost your password? Whoever runs this service can
        make a new link with <code>user create</code>.
      </p>
    </SignInFrame>
  )
}
