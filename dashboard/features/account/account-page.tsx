import { type FormEvent, useState } from 'react'
import { MIN_PASSWORD_LENGTH } from '../../../src/contract/account-limits.ts'
import type { ActiveSessionWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { formatRelativeTime } from '../../format.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { LanguageCard } from './language-card.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'

/** Browser and system from a user agent, such as "Chrome on Linux". */
function browserName(agent: string): string {
  const browser = ['Edg', 'Firefox', 'Chrome', 'Safari', 'curl'].find((name) => agent.includes(name)) ?? 'Browser'
  const system = ['Windows', 'Android', 'iPhone', 'Mac', 'Linux'].find((name) => agent.includes(name))
  return `${browser === 'Edg' ? 'Edge' : browser}${system ? ` on ${system}` : ''}`
}

export function AccountPage() {
  const session = useSession()
  return (
    <>
      <PageHeader title="Your account" lead={session.person.email} />
      <div className="columns">
        <div className="stack">
          <SecondFactorCard />
          <SessionsCard />
        </div>
        <div className="stack">
          <ProfileCard />
          <LanguageCard />
          <PasswordCard />
        </div>
      </div>
    </>
  )
}

function ProfileCard() {
  const { person } = useSession()
  const [name, setName] = useState(person.name)
  const [email, setEmail] = useState(person.email)
  const [password, setPassword] = useState('')
  const [done, setDone] = useState(false)
  const change = useApiMutation()
  const isMoving = email.trim().toLowerCase() !== person.email
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setDone(false)
    change.mutate(async () => {
      await apiPost('/account/person', { name, email, ...(isMoving ? { password } : {}) })
      setPassword('')
      setDone(true)
    })
  }
  return (
    <Card title="Profile">
      <form className="stack" onSubmit={submit}>
        <TextField label="Name" autoComplete="name" maxLength={100} required value={name} onValueChange={setName} />
        <TextField
          label="Email"
          hint="Used to sign in. Your organizations are notified when it changes."
          type="email"
          autoComplete="email"
          required
          value={email}
          onValueChange={setEmail}
        />
        {isMoving ? (
          <TextField
            label="Password (to confirm the new email)"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onValueChange={setPassword}
          />
        ) : null}
        {change.error ? <ErrorMessage error={change.error} /> : null}
        {done ? (
          <p role="status" className="success">
            Saved.
          </p>
        ) : null}
        <Button variant="primary" type="submit" isBusy={change.isPending}>
          Save
        </Button>
      </form>
    </Card>
  )
}

function PasswordCard() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [done, setDone] = useState(false)
  const change = useApiMutation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setDone(false)
    change.mutate(async () => {
      await apiPost('/account/password', { current, next })
      setCurrent('')
      setNext('')
      setDone(true)
    })
  }
  return (
    <Card title="Password" note="Changing it signs you out everywhere else.">
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          value={current}
          onValueChange={setCurrent}
        />
        <TextField
          label="New password"
          hint={`At least ${MIN_PASSWORD_LENGTH} characters.`}
          type="password"
          autoComplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          required
          value={next}
          onValueChange={setNext}
        />
        {change.error ? <ErrorMessage error={change.error} /> : null}
        {done ? (
          <p role="status" className="success">
            Password changed.
          </p>
        ) : null}
        <Button variant="primary" type="submit" isBusy={change.isPending}>
          Change password
        </Button>
      </form>
    </Card>
  )
}

function SessionsCard() {
  const query = useApiQuery<ActiveSessionWire[]>('/account/sessions')
  const change = useApiMutation()
  const end = (id: string) =>
    change.mutate(async () => {
      await apiPost('/account/sessions/end', { id })
    })
  return (
    <Card title="Active sessions">
      {change.error ? <ErrorMessage error={change.error} /> : null}
      <QueryView query={query}>
        {(sessions) => (
          <ul className="plain-list">
            {sessions.map((one) => (
              <li key={one.id}>
                <span>
                  <strong>{browserName(one.agent)}</strong>{' '}
                  {one.current ? <Badge tone="good">This device</Badge> : null}
                  <span className="muted block">
                    {one.address} · {formatRelativeTime(one.seen_at)}
                  </span>
                </span>
                {one.current ? null : <Button onClick={() => end(one.id)}>Sign out</Button>}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  )
}
