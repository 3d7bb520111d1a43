import { type ReactNode, useEffect } from 'react'
import type { SessionWire } from '../src/contract/account.ts'
import { go, useAddress } from './address.tsx'
import { SIGNED_OUT, useAsk } from './ask.ts'
import { ActivityPage } from './pages/activity.tsx'
import { CheckPage } from './pages/check.tsx'
import { DevicePage } from './pages/device.tsx'
import { DevicesPage } from './pages/devices.tsx'
import { DocsPage } from './pages/docs.tsx'
import { ImportsPage } from './pages/imports.tsx'
import { JoinPage } from './pages/join.tsx'
import { KeysPage } from './pages/keys.tsx'
import { LookupPage } from './pages/lookup.tsx'
import { LookupsPage } from './pages/lookups.tsx'
import { MembersPage } from './pages/members.tsx'
import { NotFoundPage } from './pages/not-found.tsx'
import { OverviewPage } from './pages/overview.tsx'
import { PersonPage } from './pages/person.tsx'
import { PricePage } from './pages/price.tsx'
import { RepairsPage } from './pages/repairs.tsx'
import { SignInPage } from './pages/sign-in.tsx'
import { UsagePage } from './pages/usage.tsx'
import { Loading, Problem } from './parts/basics.tsx'
import { SessionScope } from './session.tsx'
import { Shell } from './shell.tsx'

type Params = Readonly<Record<string, string>>

/** Every page and its address. A word after a colon stands for any one part of the path. */
const PAGES: readonly [string, (params: Params) => ReactNode][] = [
  ['/dashboard', () => <OverviewPage />],
  ['/dashboard/keys', () => <KeysPage />],
  ['/dashboard/usage', () => <UsagePage />],
  ['/dashboard/devices', () => <DevicesPage />],
  ['/dashboard/devices/:device', ({ device = '' }) => <DevicePage key={device} id={device} />],
  ['/dashboard/devices/:device/repairs', ({ device = '' }) => <RepairsPage key={device} id={device} />],
  [
    '/dashboard/devices/:device/price/:variant',
    ({ device = '', variant = '' }) => <PricePage key={variant} deviceId={device} variantId={variant} />,
  ],
  ['/dashboard/check', () => <CheckPage />],
  ['/dashboard/lookups', () => <LookupsPage />],
  ['/dashboard/lookups/:lookup', ({ lookup = '' }) => <LookupPage key={lookup} id={lookup} />],
  ['/dashboard/members', () => <MembersPage />],
  ['/dashboard/activity', () => <ActivityPage />],
  ['/dashboard/imports', () => <ImportsPage />],
  ['/dashboard/account', () => <PersonPage />],
  ['/dashboard/docs', () => <DocsPage />],
]

function match(pattern: string, path: string): Params | undefined {
  const wanted = pattern.split('/')
  const given = path.replace(/\/$/, '').split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, part] of wanted.entries()) {
    const word = given[i] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(word)
    else if (part !== word) return undefined
  }
  return params
}

function pageAt(path: string): ReactNode {
  for (const [pattern, draw] of PAGES) {
    const params = match(pattern, path)
    if (params) return draw(params)
  }
  return <NotFoundPage />
}

export function App() {
  const { path } = useAddress()
  if (path === '/dashboard/join') return <JoinPage />
  if (path === '/dashboard/sign-in') return <SignInPage />
  return <SignedIn path={path} />
}

function SignedIn({ path }: { path: string }) {
  const asked = useAsk<SessionWire>('/account/session')
  useEffect(() => {
    const leave = () => {
      const next = location.pathname + location.search
      go(`/dashboard/sign-in${next === '/dashboard' ? '' : `?next=${encodeURIComponent(next)}`}`, 'replace')
    }
    window.addEventListener(SIGNED_OUT, leave)
    return () => window.removeEventListener(SIGNED_OUT, leave)
  }, [])
  if (asked.error && asked.error.status !== 401) {
    return (
      <main className="alone">
        <Problem error={asked.error} again={asked.again} />
      </main>
    )
  }
  if (!asked.answer) {
    // In the place where the page will be, so that nothing jumps when it comes.
    return (
      <div className="frame">
        <header className="top" />
        <div className="side" />
        <main>
          <Loading />
        </main>
      </div>
    )
  }
  return (
    <SessionScope session={asked.answer.data} reload={asked.again}>
      <Shell path={path}>{pageAt(path)}</Shell>
    </SessionScope>
  )
}
