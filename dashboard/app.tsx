import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { usePersonLanguage } from './language.ts'
import { useApiQuery } from './queries.ts'
import { SessionProvider } from './session.tsx'
import { Shell } from './shell.tsx'
import { PageErrorBoundary } from './ui/error-boundary.tsx'
import { OfflineMessage } from './ui/offline.tsx'
import { ErrorMessage, LoadingSkeleton } from './ui/states.tsx'

/** Loads a page on first visit, to keep the first script small. */
function lazyPage<P extends object>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await load() }))
}

const ActivityPage = lazyPage(async () => (await import('./features/activity/activity-page.tsx')).ActivityPage)
const CheckPage = lazyPage(async () => (await import('./features/lookups/check-page.tsx')).CheckPage)
const AppraisalsPage = lazyPage(async () => (await import('./features/appraisals/appraisals-page.tsx')).AppraisalsPage)
const CounterPage = lazyPage(async () => (await import('./features/counter/counter-page.tsx')).CounterPage)
const DevicePage = lazyPage(async () => (await import('./features/devices/device-page.tsx')).DevicePage)
const DevicesPage = lazyPage(async () => (await import('./features/devices/devices-page.tsx')).DevicesPage)
const DocsPage = lazyPage(async () => (await import('./features/docs/docs-page.tsx')).DocsPage)
const ImportsPage = lazyPage(async () => (await import('./features/imports/imports-page.tsx')).ImportsPage)
const JoinPage = lazyPage(async () => (await import('./features/sign-in/join-page.tsx')).JoinPage)
const KeysPage = lazyPage(async () => (await import('./features/keys/keys-page.tsx')).KeysPage)
const AppraiseListPage = lazyPage(
  async () => (await import('./features/appraise-list/appraise-list-page.tsx')).AppraiseListPage,
)
const LearnedTacsPage = lazyPage(
  async () => (await import('./features/learned-tacs/learned-tacs-page.tsx')).LearnedTacsPage,
)
const LookupPage = lazyPage(async () => (await import('./features/lookups/lookup-page.tsx')).LookupPage)
const LookupsPage = lazyPage(async () => (await import('./features/lookups/lookups-page.tsx')).LookupsPage)
const MembersPage = lazyPage(async () => (await import('./features/members/members-page.tsx')).MembersPage)
const NotFoundPage = lazyPage(async () => (await import('./features/not-found/not-found-page.tsx')).NotFoundPage)
const OverviewPage = lazyPage(async () => (await import('./features/overview/overview-page.tsx')).OverviewPage)
const AccountPage = lazyPage(async () => (await import('./features/account/account-page.tsx')).AccountPage)
const ReceiptDetailsPage = lazyPage(
  async () => (await import('./features/receipt-details/receipt-details-page.tsx')).ReceiptDetailsPage,
)
const PhonePage = lazyPage(async () => (await import('./features/phone/phone-page.tsx')).PhonePage)
const PolicyPage = lazyPage(async () => (await import('./features/policy/policy-page.tsx')).PolicyPage)
const PricePage = lazyPage(async () => (await import('./features/devices/price-page.tsx')).PricePage)
const RepairsPage = lazyPage(async () => (await import('./features/devices/repairs-page.tsx')).RepairsPage)
const ReportsPage = lazyPage(async () => (await import('./features/reports/reports-page.tsx')).ReportsPage)
const SavedAppraisalPage = lazyPage(
  async () => (await import('./features/appraisals/saved-appraisal-page.tsx')).SavedAppraisalPage,
)
const ServiceSettingsPage = lazyPage(
  async () => (await import('./features/service-settings/service-settings-page.tsx')).ServiceSettingsPage,
)
const SettingsPage = lazyPage(async () => (await import('./features/settings/settings-page.tsx')).SettingsPage)
const SignInPage = lazyPage(async () => (await import('./features/sign-in/sign-in-page.tsx')).SignInPage)
const WebhooksPage = lazyPage(async () => (await import('./features/webhooks/webhooks-page.tsx')).WebhooksPage)
const UsagePage = lazyPage(async () => (await import('./features/usage/usage-page.tsx')).UsagePage)

const PAGES = (
  <Switch>
    <Route path="/dashboard" component={OverviewPage} />
    <Route path="/dashboard/counter" component={CounterPage} />
    <Route path="/dashboard/list" component={AppraiseListPage} />
    <Route path="/dashboard/appraisals" component={AppraisalsPage} />
    <Route path="/dashboard/appraisals/:id">{({ id }) => <SavedAppraisalPage key={id} id={id} />}</Route>
    <Route path="/dashboard/reports" component={ReportsPage} />
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
    <Route path="/dashboard/learned-tacs" component={LearnedTacsPage} />
    <Route path="/dashboard/lookups/:lookup">{({ lookup }) => <LookupPage key={lookup} id={lookup} />}</Route>
    <Route path="/dashboard/receipt" component={ReceiptDetailsPage} />
    <Route path="/dashboard/policy" component={PolicyPage} />
    <Route path="/dashboard/members" component={MembersPage} />
    <Route path="/dashboard/settings" component={SettingsPage} />
    <Route path="/dashboard/service" component={ServiceSettingsPage} />
    <Route path="/dashboard/activity" component={ActivityPage} />
    <Route path="/dashboard/imports" component={ImportsPage} />
    <Route path="/dashboard/account" component={AccountPage} />
    <Route path="/dashboard/phone" component={PhonePage} />
    <Route path="/dashboard/docs" component={DocsPage} />
    <Route component={NotFoundPage} />
  </Switch>
)

export function DashboardApp() {
  return (
    <PageErrorBoundary>
      <Suspense fallback={<PageSkeleton />}>
        <Switch>
          <Route path="/dashboard/join" component={JoinPage} />
          <Route path="/dashboard/sign-in" component={SignInPage} />
          <Route component={SignedInApp} />
        </Switch>
      </Suspense>
    </PageErrorBoundary>
  )
}

/** Same layout as the page, so that nothing shifts when it loads. */
function PageSkeleton() {
  return (
    <div className="frame">
      <header className="top" />
      <div className="side" />
      <main>
        <LoadingSkeleton />
      </main>
    </div>
  )
}

function SignedInApp() {
  const session = useApiQuery('/account/session')
  const isLanguageShown = usePersonLanguage(session.data?.data)
  if (session.error?.code === 'UNREACHABLE') {
    return (
      <main className="centered">
        <OfflineMessage onRetry={session.refetch} />
      </main>
    )
  }
  if (session.error && session.error.code !== 'UNAUTHORIZED') {
    return (
      <main className="centered">
        <ErrorMessage error={session.error} onRetry={session.refetch} />
      </main>
    )
  }
  if (!session.data || !isLanguageShown) return <PageSkeleton />
  const { has, required } = session.data.data.second_factor
  // Without the required second factor only the page to add it is available.
  const mustAddFactor = required && !has
  return (
    <SessionProvider session={session.data.data}>
      <Shell>
        <PageErrorBoundary>
          <Suspense fallback={<LoadingSkeleton lines={8} />}>{mustAddFactor ? <AccountPage /> : PAGES}</Suspense>
        </PageErrorBoundary>
      </Shell>
    </SessionProvider>
  )
}
