import { type FormEvent, useState } from 'react'
import type { SessionEntryWire } from '../../src/contract/account.ts'
import { LEAST_PASSWORD_LENGTH } from '../../src/contract/people.ts'
import { useAnswer, useChange } from '../answers.ts'
import { Badge, Button, Card, PageHead, Problem, Shown, TextField } from '../parts/basics.tsx'
import { post } from '../service.ts'
import { useSession } from '../session.tsx'
import { ago } from '../words.ts'
import { SecondFactorCard } from './second-factor.tsx'

/** "Chrome on Linux" out of what a browser says of itself. */
function browserOf(agent: string): string {
  const browser = ['Edg', 'Firefox', 'Chrome', 'Safari', 'curl'].find((name) => agent.includes(name)) ?? 'A browser'
  const system = ['Windows', 'Android', 'iPhone', 'Mac', 'Linux'].find((name) => agent.includes(name))
  return `${browser === 'Edg' ? 'Edge' : browser}${system ? ` on ${system}` : ''}`
}

export function PersonPage() {
  const session = useSession()
  return (
    <>
      <PageHead title="Your account" lead={session.person.email} />
      <div className="columns">
        <div className="stack">
          <SecondFactorCard />
          <SessionsCard />
        </div>
        <div className="stack">
          <ProfileCard />
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
  const change = useChange()
  const isMoving = email.trim().toLowerCase() !== person.email
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setDone(false)
    change.mutate(async () => {
      await post('/account/person', { name, email, ...(isMoving ? { password } : {}) })
      setPassword('')
      setDone(true)
    })
  }
  return (
    <Card title="You">
      <form className="stack" onSubmit={submit}>
        <TextField label="Name" autoComplete="name" maxLength={100} required value={name} change={setName} />
        <TextField
          label="Email"
          hint="You sign in with it. Your organizations are told when it changes."
          type="email"
          autoComplete="email"
          required
          value={email}
          change={setEmail}
        />
        {isMoving ? (
          <TextField
            label="Password, for the new address"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            change={setPassword}
          />
        ) : null}
        {change.error ? <Problem error={change.error} /> : null}
        {done ? (
          <p role="status" className="success">
            Saved.
          </p>
        ) : null}
        <Button look="main" type="submit" busy={change.isPending}>
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
  const change = useChange()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setDone(false)
    change.mutate(async () => {
      await post('/account/password', { current, next })
      setCurrent('')
      setNext('')
      setDone(true)
    })
  }
  return (
    <Card title="Password" note="Changing it ends every other session.">
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          value={current}
          change={setCurrent}
        />
        <TextField
          label="New password"
          hint={`At least ${LEAST_PASSWORD_LENGTH} characters.`}
          type="password"
          autoComplete="new-password"
          minLength={LEAST_PASSWORD_LENGTH}
          required
          value={next}
          change={setNext}
        />
        {change.error ? <Problem error={change.error} /> : null}
        {done ? (
          <p role="status" className="success">
            Your password is changed.
          </p>
        ) : null}
        <Button look="main" type="submit" busy={change.isPending}>
          Change password
        </Button>
      </form>
    </Card>
  )
}

function SessionsCard() {
  const asked = useAnswer<SessionEntryWire[]>('/account/sessions')
  const change = useChange()
  const end = (id: string) =>
    change.mutate(async () => {
      await post('/account/sessions/end', { id })
    })
  return (
    <Card title="Where you are signed in">
      {change.error ? <Problem error={change.error} /> : null}
      <Shown asked={asked}>
        {(sessions) => (
          <ul className="plain-list">
            {sessions.map((one) => (
              <li key={one.id}>
                <span>
                  <strong>{browserOf(one.agent)}</strong> {one.current ? <Badge tone="good">this one</Badge> : null}
                  <span className="soft block">
                    {one.address} · {ago(one.seen_at)}
                  </span>
                </span>
                {one.current ? null : <Button onClick={() => end(one.id)}>End</Button>}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Card>
  )
}
