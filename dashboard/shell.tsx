import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { queryClient, useChange } from './answers.ts'
import { Button, Empty } from './parts/basics.tsx'
import { Icon, type IconName } from './parts/icon.tsx'
import { post } from './service.ts'
import { useSession } from './session.tsx'

const SECTIONS: readonly { title: string; links: readonly [string, string, IconName][] }[] = [
  {
    title: 'Counter',
    links: [
      ['/dashboard/counter', 'Appraise', 'tag'],
      ['/dashboard/appraisals', 'Appraisals', 'list'],
    ],
  },
  {
    title: 'Explore',
    links: [
      ['/dashboard/devices', 'Devices', 'phone'],
      ['/dashboard/check', 'Identifier check', 'shield'],
      ['/dashboard/lookups', 'Lookup history', 'list'],
    ],
  },
  {
    title: 'Build',
    links: [
      ['/dashboard/keys', 'API keys', 'key'],
      ['/dashboard/usage', 'Usage', 'chart'],
      ['/dashboard/docs', 'Docs', 'book'],
    ],
  },
  {
    title: 'Organization',
    links: [
      ['/dashboard/members', 'Members', 'people'],
      ['/dashboard/activity', 'Activity', 'clock'],
      ['/dashboard/imports', 'Imports', 'tray'],
    ],
  },
]
const FOR_OWNERS: readonly string[] = ['/dashboard/imports']

/** Follows the system until a person chooses; the choice is kept on this device. */
function switchTheme(): void {
  const root = document.documentElement
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = dark ? 'light' : 'dark'
  localStorage.setItem('theme', root.dataset.theme)
}
const kept = localStorage.getItem('theme')
if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept

export function Shell({ children }: { children: ReactNode }) {
  const session = useSession()
  const [path, navigate] = useLocation()
  const [open, setOpen] = useState(false)
  const change = useChange()
  const isHere = (to: string) => (to === '/dashboard' ? path === to : path === to || path.startsWith(`${to}/`))

  function switchTo(id: string) {
    change.mutate(async () => {
      await post('/account/organization', { id })
      await queryClient.resetQueries()
      navigate('/dashboard')
    })
  }
  function signOut() {
    change.mutate(async () => {
      await post('/account/sign-out', {})
      navigate('/dashboard/sign-in', { replace: true })
      queryClient.clear()
    })
  }
  const link = (to: string, name: string, icon: IconName) => (
    <li key={to}>
      <Link to={to} aria-current={isHere(to) ? 'page' : undefined} onClickCapture={() => setOpen(false)}>
        <Icon name={icon} />
        {name}
      </Link>
    </li>
  )

  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="top">
        <Link to="/dashboard" className="brand">
          <span className="mark" aria-hidden="true" />
          Device Intelligence
        </Link>
        <Button look="plain" aria-expanded={open} aria-controls="side" onClick={() => setOpen(!open)}>
          Menu
        </Button>
      </header>
      <aside className={open ? 'side side-open' : 'side'} id="side">
        <Link to="/dashboard" className="brand brand-side">
          <span className="mark" aria-hidden="true" />
          Device Intelligence
        </Link>
        {session.organizations.length > 1 ? (
          <label className="switch">
            <span className="unseen">Organization</span>
            <select value={session.organization?.id ?? ''} onChange={(event) => switchTo(event.target.value)}>
              {session.organization ? null : <option value="">Choose an organization</option>}
              {session.organizations.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <p className="organization">{session.organization?.name ?? 'No organization'}</p>
        )}
        <nav aria-label="Main">
          <ul>{link('/dashboard', 'Overview', 'home')}</ul>
          {SECTIONS.map(({ title, links }) => (
            <div key={title}>
              <p className="nav-title">{title}</p>
              <ul>
                {links
                  .filter(([to]) => session.role === 'owner' || !FOR_OWNERS.includes(to))
                  .map(([to, name, icon]) => link(to, name, icon))}
              </ul>
            </div>
          ))}
        </nav>
        <div className="me">
          <Link to="/dashboard/account" className="me-name" onClickCapture={() => setOpen(false)}>
            <span className="avatar" aria-hidden="true">
              {(session.person.name || session.person.email).charAt(0).toUpperCase()}
            </span>
            <span className="me-text">
              <span>{session.person.name || session.person.email}</span>
              <span className="soft">{session.role ?? 'no organization'}</span>
            </span>
          </Link>
          <div className="me-actions">
            <Button look="bare" onClick={switchTheme}>
              Light / dark
            </Button>
            <Button look="bare" busy={change.isPending} onClick={signOut}>
              Sign out
            </Button>
          </div>
        </div>
      </aside>
      <main id="content" tabIndex={-1}>
        {session.sample_data && session.organization ? (
          <p className="banner">
            Sample data is on: price histories are simulated until you import your own, and every answer that has one
            says so.
          </p>
        ) : null}
        {session.organization || path === '/dashboard/account' ? (
          children
        ) : (
          <Empty title="You are in no organization">
            <p>Ask an owner for an invitation, or choose an organization on the left.</p>
          </Empty>
        )}
      </main>
    </div>
  )
}
