import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { type MemberRole, roleIncludes } from '../src/contract/account-limits.ts'
import { callApi } from './api.ts'
import { CommandPalette, usePaletteShortcuts } from './features/command-palette/command-palette.tsx'
import { clearDraft } from './features/counter/draft.ts'
import { Till } from './features/till/till.tsx'
import { currentLanguage } from './i18n.ts'
import { useChangeLanguage } from './language.ts'
import type en from './locales/en.json'
import { queryClient, useApiMutation } from './queries.ts'
import { useSession } from './session.tsx'
import { Button } from './ui/button.tsx'
import { Icon, type IconName } from './ui/icon.tsx'
import { LanguageSelect } from './ui/language-select.tsx'
import { OfflineBanner } from './ui/offline.tsx'
import { SampleDataBanner } from './ui/sample-data-banner.tsx'
import { ScanLostBanner } from './ui/scan-lost.tsx'

type NavName = keyof typeof en.common.nav

/** An entry of the menu and its pages; those after the first are tabs of the entry. */
type NavEntry = { readonly id: NavName; readonly icon: IconName; readonly pages: readonly NavPage[] }
type NavPage = readonly [to: string, name: NavName]

const MENU: readonly NavEntry[] = [
  {
    id: 'appraise',
    icon: 'tag',
    pages: [
      ['/dashboard', 'today'],
      ['/dashboard/counter', 'counter'],
      ['/dashboard/list', 'appraiseList'],
    ],
  },
  {
    id: 'stock',
    icon: 'rows',
    pages: [
      ['/dashboard/stock', 'inStock'],
      ['/dashboard/appraisals', 'offers'],
    ],
  },
  { id: 'reports', icon: 'chart', pages: [['/dashboard/reports', 'reports']] },
  {
    id: 'check',
    icon: 'shield',
    pages: [
      ['/dashboard/check', 'check'],
      ['/dashboard/lookups', 'lookups'],
      ['/dashboard/learned-tacs', 'learnedTacs'],
    ],
  },
  { id: 'devices', icon: 'phone', pages: [['/dashboard/devices', 'devices']] },
  { id: 'imports', icon: 'tray', pages: [['/dashboard/imports', 'imports']] },
  {
    id: 'settings',
    icon: 'sliders',
    pages: [
      ['/dashboard/settings', 'shop'],
      ['/dashboard/receipt', 'receipt'],
      ['/dashboard/trade-in', 'tradeIn'],
      ['/dashboard/policy', 'policy'],
      ['/dashboard/price-rules', 'priceRules'],
      ['/dashboard/members', 'members'],
      ['/dashboard/activity', 'activity'],
      ['/dashboard/phone', 'phone'],
      ['/dashboard/account', 'account'],
    ],
  },
  {
    id: 'developers',
    icon: 'key',
    pages: [
      ['/dashboard/keys', 'keys'],
      ['/dashboard/usage', 'usage'],
      ['/dashboard/webhooks', 'webhooks'],
      ['/dashboard/docs', 'docs'],
    ],
  },
  {
    id: 'server',
    icon: 'scale',
    pages: [
      ['/dashboard/service', 'server'],
      ['/dashboard/all-activity', 'allActivity'],
    ],
  },
]
/** Pages that need more than the role clerk. */
const REQUIRED_ROLES: Readonly<Record<string, MemberRole>> = {
  '/dashboard/list': 'manager',
  '/dashboard/learned-tacs': 'manager',
  '/dashboard/keys': 'manager',
  '/dashboard/usage': 'manager',
  '/dashboard/webhooks': 'manager',
  '/dashboard/docs': 'manager',
  '/dashboard/policy': 'manager',
  '/dashboard/price-rules': 'manager',
  '/dashboard/settings': 'manager',
  '/dashboard/members': 'manager',
  '/dashboard/activity': 'manager',
  '/dashboard/receipt': 'manager',
  '/dashboard/trade-in': 'manager',
  '/dashboard/imports': 'owner',
}
const OPERATOR_ONLY: readonly string[] = ['/dashboard/service', '/dashboard/all-activity']

/** Overrides the system theme; stored in this browser. */
function switchTheme(): void {
  const root = document.documentElement
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = dark ? 'light' : 'dark'
  localStorage.setItem('theme', root.dataset.theme)
}
const storedTheme = localStorage.getItem('theme')
if (storedTheme === 'light' || storedTheme === 'dark') document.documentElement.dataset.theme = storedTheme

/** On a phone the tabs can be wider than the screen: the current one is scrolled into view. */
function useTabsInView(path: string) {
  const ref = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path has another current tab
  useEffect(() => {
    const tabs = ref.current
    const current = tabs?.querySelector<HTMLElement>('[aria-current]')
    if (tabs && current) tabs.scrollLeft = current.offsetLeft - (tabs.clientWidth - current.clientWidth) / 2
  }, [path])
  return ref
}

export function Shell({ children }: { children: ReactNode }) {
  const session = useSession()
  const { t } = useTranslation()
  const changeLanguage = useChangeLanguage()
  const [path, navigate] = useLocation()
  const tabs = useTabsInView(path)
  const [open, setOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  usePaletteShortcuts(useCallback(() => setPaletteOpen(true), []))
  const change = useApiMutation()
  const isHere = (to: string) => (to === '/dashboard' ? path === to : path === to || path.startsWith(`${to}/`))

  function signOut() {
    change.mutate(async () => {
      const { data } = await callApi('DELETE /account/session', {})
      clearDraft()
      if (data.issuer_url !== null) {
        location.assign(data.issuer_url)
        return
      }
      navigate('/dashboard/sign-in', { replace: true })
      queryClient.clear()
    })
  }
  const mayOpen = ([to]: NavPage) =>
    roleIncludes(session.role, REQUIRED_ROLES[to] ?? 'clerk') &&
    (session.runs_service || !OPERATOR_ONLY.includes(to)) &&
    (to !== '/dashboard/reports' || session.sees_margins)
  const isCurrent = ({ pages }: NavEntry) => pages.some(([to]) => isHere(to))
  const menu = MENU.map((entry) => ({ ...entry, pages: entry.pages.filter(mayOpen) })).filter(
    (entry) =>
      entry.pages.length > 0 &&
      // A shop without a program of its own does not need them; their addresses still work.
      (entry.id !== 'developers' || session.organization.developer_pages || isCurrent(entry)),
  )
  const current = menu.find(isCurrent)
  const palettePages = menu.flatMap(({ pages }) => pages.map(([to, name]) => ({ to, name: t(`nav.${name}`) })))

  return (
    <div className="frame">
      {isPaletteOpen ? <CommandPalette pages={palettePages} close={() => setPaletteOpen(false)} /> : null}
      <a className="skip" href="#content">
        {t('nav.skip')}
      </a>
      <header className="top">
        <Link to="/dashboard" className="brand">
          <span className="mark" aria-hidden="true" />
          Device Intelligence
        </Link>
        <Button variant="plain" aria-expanded={open} aria-controls="side" onClick={() => setOpen(!open)}>
          {t('nav.menu')}
        </Button>
      </header>
      <aside className={open ? 'side side-open' : 'side'} id="side">
        <Link to="/dashboard" className="brand brand-side">
          <span className="mark" aria-hidden="true" />
          Device Intelligence
        </Link>
        <p className="organization">{session.organization.name}</p>
        <button type="button" className="palette-open" onClick={() => setPaletteOpen(true)}>
          {t('nav.goTo')} <kbd>Ctrl K</kbd>
        </button>
        <nav aria-label={t('nav.label')}>
          <ul>
            {menu.map(({ id, icon, pages: [first] }) => (
              <li key={id}>
                <Link
                  to={first?.[0] ?? '/dashboard'}
                  aria-current={current?.id === id ? 'page' : undefined}
                  onClickCapture={() => setOpen(false)}
                >
                  <Icon name={icon} />
                  {t(`nav.${id}`)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="me">
          <Link to="/dashboard/account" className="me-name" onClickCapture={() => setOpen(false)}>
            <span className="avatar" aria-hidden="true">
              {(session.person.name || session.person.email).charAt(0).toUpperCase()}
            </span>
            <span className="me-text">
              <span>{session.person.name || session.person.email}</span>
              <span className="muted">{t(`role.${session.role}`)}</span>
            </span>
          </Link>
          <LanguageSelect value={currentLanguage()} choose={changeLanguage} />
          <div className="me-actions">
            <Till />
            <Button variant="link" onClick={switchTheme}>
              {t('action.switchTheme')}
            </Button>
            <Button variant="link" isBusy={change.isPending} onClick={signOut}>
              {t('action.signOut')}
            </Button>
          </div>
        </div>
      </aside>
      <main id="content" tabIndex={-1}>
        <OfflineBanner />
        <ScanLostBanner />
        <SampleDataBanner />
        {current && current.pages.length > 1 ? (
          <nav className="tabs" aria-label={t(`nav.${current.id}`)} ref={tabs}>
            {current.pages.map(([to, name]) => (
              <Link key={to} to={to} aria-current={isHere(to) ? 'page' : undefined}>
                {t(`nav.${name}`)}
              </Link>
            ))}
          </nav>
        ) : null}
        {children}
      </main>
    </div>
  )
}
