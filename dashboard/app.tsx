import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import type { SessionWire } from '../src/contract/account.ts'
import { useAnswer } from './answers.ts'
import { Loading, Problem } from './parts/basics.tsx'
import { Guarded } from './parts/guarded.tsx'
import { SessionScope } from './session.tsx'
import { Shell } from './shell.tsx'

/** A page comes when it is first gone to, so that the first script stays small. */
function page<P extends object>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await load() }))
}

const ActivityPage = page(async () => (await import('./pages/activity.tsx')).ActivityPage)
const CheckPage = page(async () => (await import('./pages/check.tsx')).CheckPage)
const AppraisalsPage = page(async () => (await import('./appraisals/history-page.tsx')).HistoryPage)
const CounterPage = page(async () => (await import('./counter/page.tsx')).CounterPage)
const DevicePage = page(async () => (await import('./pages/device.tsx')).DevicePage)
const DevicesPage = page(async () => (await import('./pages/devices.tsx')).DevicesPage)
const DocsPage = page(async () => (await import('./pages/docs.tsx')).DocsPage)
const ImportsPage = page(async () => (await import('./pages/imports.tsx')).ImportsPage)
const JoinPage = page(async () => (await import('./pages/join.tsx')).JoinPage)
const KeysPage = page(async () => (await import('./pages/keys.tsx')).KeysPage)
const ListPage = page(async () => (await import('./list/page.tsx')).ListPage)
const LookupPage = page(async () => (await import('./pages/lookup.tsx')).LookupPage)
const LookupsPage = page(async () => (await import('./pages/lookups.tsx')).LookupsPage)
const MembersPage = page(async () => (await import('./pages/members.tsx')).MembersPage)
const NotFoundPage = page(async () => (await import('./pages/not-found.tsx')).NotFoundPage)
const OverviewPage = page(async () => (await import('./pages/overview.tsx')).OverviewPage)
const PersonPage = page(async () => (await import('./pages/person.tsx')).PersonPage)
const PolicyPage = page(async () => (await import('./policy/page.tsx')).PolicyPage)
const PricePage = page(async () => (await import('./pages/price.tsx')).PricePage)
const RepairsPage = page(async () => (await import('./pages/repairs.tsx')).RepairsPage)
const SheetPage = page(async () => (await import('./appraisals/sheet-page.tsx')).SheetPage)
const SignInPage = page(async () => (await import('./pages/sign-in.tsx')).SignInPage)
const WebhooksPage = page(async () => (await import('./pages/webhooks.tsx')).WebhooksPage)
const UsagePage = page(async () => (await import('./pages/usage.tsx')).UsagePage)

/** Every page and its address. */
const PAGES = (
  <Switch>
    <Route path="/dashboard" component={OverviewPage} />
    <Route path="/dashboard/counter" component={CounterPage} />
    <Route path="/dashboard/list" component={ListPage} />
    <Route path="/dashboard/appraisals" component={AppraisalsPage} />
    <Route path="/dashboard/appraisals/:id">{({ id }) => <SheetPage key={id} id={id} />}</Route>
    <Route path="/dashboard/keys" component={KeysPage} />
    <Route path="/dashboard/usage" component={UsagePage} />
    <Route path="/dashboard/webhooks" component={WebhooksPage} />
    <Route path="/dashboard/devices" component={DevicesPage} />
    <Route path="/dashboard/devices/:device">{({ device }) => <DevicePage key={device} id={device} />}</Route>
    <Route path="/dashboard/devices/:device/repairs">{({ device }) => <RepairsPage key={device} id={device} />}</Route>
    <Route path="/dashboard/devices/:device/price/:variant">
      {({ device, variant }) => <PricePage key={variant} deviceId={device} variantId={variant} />}
    </Route>
    <Route path="/dashboard/check" component={CheckPage} />
    <Route path="/dashboard/lookups" component={LookupsPage} />
    <Route path="/dashboard/lookups/:lookup">{({ lookup }) => <LookupPage key={lookup} id={lookup} />}</Route>
    <Route path="/dashboard/policy" component={PolicyPage} />
    <Route path="/dashboard/members" component={MembersPage} />
    <Route path="/dashboard/activity" component={ActivityPage} />
    <Route path="/dashboard/imports" component={ImportsPage} />
    <Route path="/dashboard/account" component={PersonPage} />
    <Route path="/dashboard/docs" component={DocsPage} />
    <Route component={NotFoundPage} />
  </Switch>
)

export function App() {
  return (
    <Guarded>
      <Suspense fallback={<Waiting />}>
        <Switch>
          <Route path="/dashboard/join" component={JoinPage} />
          <Route path="/dashboard/sign-in" component={SignInPage} />
          <Route component={SignedIn} />
        </Switch>
      </Suspense>
    </Guarded>
  )
}

/** In the place where the page will be, so that nothing jumps when it comes. */
function Waiting() {
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

function SignedIn() {
  const session = useAnswer<SessionWire>('/account/session')
  if (session.error && session.error.code !== 'UNAUTHORIZED') {
    return (
      <main className="alone">
        <Problem error={session.error} again={session.refetch} />
      </main>
    )
  }
  if (!session.data) return <Waiting />
  const { has, required } = session.data.data.second_factor
  // Nothing of the organization can be seen before; the page where it is added is all there is.
  const mustAddFactor = required && !has
  return (
    <SessionScope session={session.data.data}>
      <Shell>
        <Guarded>
          <Suspense fallback={<Loading lines={8} />}>{mustAddFactor ? <PersonPage /> : PAGES}</Suspense>
        </Guarded>
      </Shell>
    </SessionScope>
  )
}
