import { type ReactNode, useCallback, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type MemberRole, roleIncludes } from '../src/contract/account-limits.ts'
import { apiPost } from './api.ts'
import { CommandPalette, usePaletteShortcuts } from './features/command-palette/command-palette.tsx'
import { clearDraft } from './features/counter/draft.ts'
import { queryClient, useApiMutation } from './queries.ts'
import { useSession } from './session.tsx'
import { Button } from './ui/button.tsx'
import { Icon, type IconName } from './ui/icon.tsx'
import { OfflineBanner } from './ui/offline.tsx'
import { SampleDataBanner } from './ui/sample-data-banner.tsx'
import { EmptyState } from './ui/states.tsx'

type NavLink = readonly [to: string, name: string, icon: IconName]

const OVERVIEW: NavLink = ['/dashboard', 'Overview', 'home']
const ACCOUNT: NavLink = ['/dashboard/account', 'Your account', 'people']
const SECTIONS: readonly { title: string; links: readonly NavLink[] }[] = [
  {
    title: 'Counter',
    links: [
      ['/dashboard/counter', 'Appraise', 'tag'],
      ['/dashboard/list', 'Appraise a list', 'rows'],
      ['/dashboard/appraisals', 'Appraisals', 'list'],
      ['/dashboard/phone', 'Open on your phone', 'phone'],
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
      ['/dashboard/webhooks', 'Webhooks', 'bell'],
      ['/dashboard/docs', 'Docs', 'book'],
    ],
  },
  {
    title: 'Organization',
    links: [
      ['/dashboard/policy', 'Buying policy', 'scale'],
      ['/dashboard/settings', 'Settings', 'sliders'],
      ['/dashboard/members', 'Members', 'people'],
      ['/dashboard/activity', 'Activity', 'clock'],
      ['/dashboard/imports', 'Imports', 'tray'],
    ],
  },
]
/** Pages that need more than the role clerk. */
const REQUIRED_ROLES: Readonly<Record<string, MemberRole>> = {
  '/dashboard/list': 'manager',
  '/dashboard/keys': 'manager',
  '/dashboard/usage': 'manager',
  '/dashboard/webhooks': 'manager',
  '/dashboard/docs': 'manager',
  '/dashboard/policy': 'manager',
  '/dashboard/settings': 'manager',
  '/dashboard/members': 'manager',
  '/dashboard/activity': 'manager',
  '/dashboard/imports': 'owner',
}

/** Overrides the system theme; stored in this browser. */
function switchTheme(): void {
  const root = document.documentElement
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = dark ? 'light' : 'dark'
  localStorage.setItem('theme', root.dataset.theme)
}
const storedTheme = localStorage.getItem('theme')
if (storedTheme === 'light' || storedTheme === 'dark') document.documentElement.dataset.theme = storedTheme

export function Shell({ children }: { children: ReactNode }) {
  const session = useSession()
  const [path, navigate] = useLocation()
  const [open, setOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  usePaletteShortcuts(useCallback(() => setPaletteOpen(true), []))
  const change = useApiMutation()
  const isHere = (to: string) => (to === '/dashboard' ? path === to : path === to || path.startsWith(`${to}/`))

  function switchTo(id: string) {
    change.mutate(async () => {
      await apiPost('/account/organization', { id })
      await queryClient.resetQueries()
      navigate('/dashboard')
    })
  }
  function signOut() {
    change.mutate(async () => {
      await apiPost('/account/sign-out', {})
      clearDraft()
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

  const mayOpen = ([to]: NavLink) => session.role !== null && roleIncludes(session.role, REQUIRED_ROLES[to] ?? 'clerk')
  const pages = [OVERVIEW, ...SECTIONS.flatMap(({ links }) => links).filter(mayOpen), ACCOUNT].map(([to, name]) => ({
    to,
    name,
  }))

  return (
    <div className="frame">
      {isPaletteOpen ? <CommandPalette pages={pages} close={() => setPaletteOpen(false)} /> : null}
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="top">
        <Link to="/dashboard" className="brand">
          <span className="mark" aria-hidden="true" />
          Device Intelligence
        </Link>
        <Button variant="plain" aria-expanded={open} aria-controls="side" onClick={() => setOpen(!open)}>
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
            <span className="visually-hidden">Organization</span>
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
        <button type="button" className="palette-open" onClick={() => setPaletteOpen(true)}>
          Go to… <kbd>Ctrl K</kbd>
        </button>
        <nav aria-label="Main">
          <ul>{link(...OVERVIEW)}</ul>
          {SECTIONS.filter(({ links }) => links.some(mayOpen)).map(({ title, links }) => (
            <div key={title}>
              <p className="nav-title">{title}</p>
              <ul>{links.filter(mayOpen).map(([to, name, icon]) => link(to, name, icon))}</ul>
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
              <span className="muted">{session.role ?? 'no organization'}</span>
            </span>
          </Link>
          <div className="me-actions">
            <Button variant="link" onClick={switchTheme}>
              Light / dark
            </Button>
            <Button variant="link" isBusy={change.isPending} onClick={signOut}>
              Sign out
            </Button>
          </div>
        </div>
      </aside>
      <main id="content" tabIndex={-1}>
        <OfflineBanner />
        {session.organization ? <SampleDataBanner /> : null}
        {session.organization || path === '/dashboard/account' ? (
          children
        ) : (
          <EmptyState title="No organization">
            <p>Ask an owner for an invitation, or choose an organization on the left.</p>
          </EmptyState>
        )}
      </main>
    </div>
  )
}
