import { type ComponentType, lazy, Suspense } from 'react'
import { Route, type StringRouteParams, Switch, useLocation } from 'wouter'
import { usePersonLanguage } from './language.ts'
import { useOperation, useSessionEnded } from './queries.ts'
import { passScan, useOtherScans } from './scan/keyboard-scan.ts'
import { SessionProvider } from './session.tsx'
import { Shell } from './shell.tsx'
import { PageErrorBoundary } from './ui/error-boundary.tsx'
import { OfflineMessage } from './ui/offline.tsx'
import { ErrorMessage, LoadingSkeleton } from './ui/states.tsx'

/** Loads a page on first visit, to keep the first script small. */
const lazyPage = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy(async () => ({ default: (await load()) as ComponentType<object> }))

/** A page gets the parameters of its path, such as `:id`, as props. */
const route = <Path extends string>(path: Path, load: () => Promise<ComponentType<StringRouteParams<Path>>>) => ({
  path: `/dashboard${path}`,
  Page: lazyPage(load),
})

const JoinPage = lazyPage(async () => (await import('./features/sign-in/join-page.tsx')).JoinPage)
const SignInPage = lazyPage(async () => (await import('./features/sign-in/sign-in-page.tsx')).SignInPage)
const SignInAgain = lazy(async () => ({
  default: (await import('./features/sign-in/sign-in-again.tsx')).SignInAgain,
}))
const SignedInPage = lazyPage(async () => (await import('./features/sign-in/signed-in-page.tsx')).SignedInPage)
const AccountPage = lazyPage(async () => (await import('./features/account/account-page.tsx')).AccountPage)
const NotFoundPage = lazyPage(async () => (await import('./features/not-found/not-found-page.tsx')).NotFoundPage)

const ROUTES = [
  route('', async () => (await import('./features/overview/overview-page.tsx')).OverviewPage),
  route('/counter', async () => (await import('./features/counter/counter-page.tsx')).CounterPage),
  route('/list', async () => (await import('./features/appraise-list/appraise-list-page.tsx')).AppraiseListPage),
  route('/list/:id', async () => (await import('./features/appraise-list/device-list-page.tsx')).DeviceListPage),
  route('/appraisals', async () => (await import('./features/appraisals/appraisals-page.tsx')).AppraisalsPage),
  route(
    '/appraisals/:id',
    async () => (await import('./features/appraisals/saved-appraisal-page.tsx')).SavedAppraisalPage,
  ),
  route('/purchases/:id', async () => (await import('./features/purchases/purchase-page.tsx')).PurchasePage),
  route('/stock', async () => (await import('./features/stock/stock-page.tsx')).StockPage),
  route('/stock/:id', async () => (await import('./features/stock/stock-item-page.tsx')).StockItemPage),
  route('/reports', async () => (await import('./features/reports/reports-page.tsx')).ReportsPage),
  route('/keys', async () => (await import('./features/keys/keys-page.tsx')).KeysPage),
  route('/usage', async () => (await import('./features/usage/usage-page.tsx')).UsagePage),
  route('/webhooks', async () => (await import('./features/webhooks/webhooks-page.tsx')).WebhooksPage),
  route('/devices', async () => (await import('./features/devices/devices-page.tsx')).DevicesPage),
  route('/devices/:id', async () => (await import('./features/devices/device-page.tsx')).DevicePage),
  route('/devices/:id/repairs', async () => (await import('./features/devices/repairs-page.tsx')).RepairsPage),
  route(
    '/devices/:deviceId/price/:variantId',
    async () => (await import('./features/devices/price-page.tsx')).PricePage,
  ),
  route('/check', async () => (await import('./features/lookups/check-page.tsx')).CheckPage),
  route('/lookups', async () => (await import('./features/lookups/lookups-page.tsx')).LookupsPage),
  route('/lookups/:id', async () => (await import('./features/lookups/lookup-page.tsx')).LookupPage),
  route('/learned-tacs', async () => (await import('./features/learned-tacs/learned-tacs-page.tsx')).LearnedTacsPage),
  route(
    '/receipt',
    async () => (await import('./features/receipt-details/receipt-details-page.tsx')).ReceiptDetailsPage,
  ),
  route('/trade-in', async () => (await import('./features/trade-in/trade-in-page.tsx')).TradeInPage),
  route('/policy', async () => (await import('./features/policy/policy-page.tsx')).PolicyPage),
  route('/price-rules', async () => (await import('./features/price-rules/price-rules-page.tsx')).PriceRulesPage),
  route('/members', async () => (await import('./features/members/members-page.tsx')).MembersPage),
  route('/settings', async () => (await import('./features/settings/settings-page.tsx')).SettingsPage),
  route(
    '/service',
    async () => (await import('./features/service-settings/service-settings-page.tsx')).ServiceSettingsPage,
  ),
  route('/activity', async () => (await import('./features/activity/activity-page.tsx')).ActivityPage),
  route('/all-activity', async () => (await import('./features/activity/activity-page.tsx')).AllActivityPage),
  route('/imports', async () => (await import('./features/imports/imports-page.tsx')).ImportsPage),
  route('/phone', async () => (await import('./features/phone/phone-page.tsx')).PhonePage),
  route('/docs', async () => (await import('./features/docs/docs-page.tsx')).DocsPage),
  { path: '/dashboard/account', Page: AccountPage },
]

const PAGES = (
  <Switch>
    {ROUTES.map(({ path, Page }) => (
      <Route key={path} path={path}>
        {(params) => <Page key={Object.values(params).join(' ')} {...params} />}
      </Route>
    ))}
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
          <Route path="/dashboard/signed-in" component={SignedInPage} />
          <Route component={SignedInApp} />
        </Switch>
      </Suspense>
    </PageErrorBoundary>
  )
}

/** Pages without entries that a scan would lose, and the page that it opens instead. */
const SCAN_TARGETS = [
  [/^\/dashboard\/(?:check|lookups|learned-tacs)\b/, '/dashboard/check'],
  [/^\/dashboard\/stock\/./, '/dashboard/stock'],
  [/^\/dashboard(?:$|\/(?:appraisals|reports|devices)\b)/, '/dashboard/counter'],
] as const

function OtherScans() {
  const [path, navigate] = useLocation()
  useOtherScans((text) => {
    const [, to] = SCAN_TARGETS.find(([pattern]) => pattern.test(path)) ?? []
    if (!to) return
    navigate(to)
    passScan(text)
  })
  return null
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

const CustomerPage = lazyPage(async () => (await import('./features/customer-screen/customer-page.tsx')).CustomerPage)

function SignedInApp() {
  const session = useOperation('GET /account/session', {})
  const isSessionEnded = useSessionEnded()
  const isLanguageShown = usePersonLanguage(session.data?.data)
  if (session.error && session.error.code !== 'UNAUTHORIZED') {
    return (
      <main className="centered">
        {session.error.code === 'UNREACHABLE' ? (
          <OfflineMessage onRetry={session.refetch} />
        ) : (
          <ErrorMessage error={session.error} onRetry={session.refetch} />
        )}
      </main>
    )
  }
  if (!session.data || !isLanguageShown) return <PageSkeleton />
  const { has, required } = session.data.data.second_factor
  // Without the required second factor only the page to add it is available.
  const mustAddFactor = required && !has
  return (
    <SessionProvider session={session.data.data}>
      <Switch>
        {mustAddFactor ? null : <Route path="/dashboard/customer" component={CustomerPage} />}
        <Route>
          <Shell>
            <PageErrorBoundary>
              <Suspense fallback={<LoadingSkeleton lines={8} />}>
                {mustAddFactor ? <AccountPage /> : PAGES}
                <OtherScans />
              </Suspense>
            </PageErrorBoundary>
          </Shell>
        </Route>
      </Switch>
      {isSessionEnded ? (
        <Suspense fallback={null}>
          <SignInAgain session={session.data.data} />
        </Suspense>
      ) : null}
    </SessionProvider>
  )
}
