import { type ReactNode, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { type MemberRole, roleIncludes } from '../src/contract/account-limits.ts'
import { apiPost } from './api.ts'
import { CommandPalette, usePaletteShortcuts } from './features/command-palette/command-palette.tsx'
import { clearDraft } from './features/counter/draft.ts'
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

type NavName = keyof typeof en.common.nav
type NavLink = readonly [to: string, name: NavName, icon: IconName]

const OVERVIEW: NavLink = ['/dashboard', 'overview', 'home']
/** Linked from the counter; found in the command palette. */
const PHONE: NavLink = ['/dashboard/phone', 'phone', 'phone']
/** Linked from the lookup history. */
const LEARNED_TACS: NavLink = ['/dashboard/learned-tacs', 'learnedTacs', 'list']
const ACCOUNT: NavLink = ['/dashboard/account', 'account', 'people']
const SECTIONS: readonly { section: NavName; links: readonly NavLink[] }[] = [
  {
    section: 'counter',
    links: [
      ['/dashboard/counter', 'appraise', 'tag'],
      ['/dashboard/list', 'appraiseList', 'rows'],
      ['/dashboard/appraisals', 'appraisals', 'list'],
      ['/dashboard/reports', 'reports', 'chart'],
    ],
  },
  {
    section: 'explore',
    links: [
      ['/dashboard/devices', 'devices', 'phone'],
      ['/dashboard/check', 'check', 'shield'],
      ['/dashboard/lookups', 'lookups', 'list'],
    ],
  },
  {
    section: 'build',
    links: [
      ['/dashboard/keys', 'keys', 'key'],
      ['/dashboard/usage', 'usage', 'chart'],
      ['/dashboard/webhooks', 'webhooks', 'bell'],
      ['/dashboard/docs', 'docs', 'book'],
    ],
  },
  {
    section: 'organization',
    links: [
      ['/dashboard/policy', 'policy', 'scale'],
      ['/dashboard/settings', 'settings', 'sliders'],
      ['/dashboard/members', 'members', 'people'],
      ['/dashboard/activity', 'activity', 'clock'],
      ['/dashboard/imports', 'imports', 'tray'],
      ['/dashboard/service', 'serviceSettings', 'sliders'],
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
  '/dashboard/settings': 'manager',
  '/dashboard/members': 'manager',
  '/dashboard/activity': 'manager',
  '/dashboard/imports': 'owner',
}
const OPERATOR_ONLY: readonly string[] = ['/dashboard/service']

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
  const { t } = useTranslation()
  const changeLanguage = useChangeLanguage()
  const [path, navigate] = useLocation()
  const [open, setOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  usePaletteShortcuts(useCallback(() => setPaletteOpen(true), []))
  const change = useApiMutation()
  const isHere = (to: string) => (to === '/dashboard' ? path === to : path === to || path.startsWith(`${to}/`))

  function signOut() {
    change.mutate(async () => {
      const { data } = await apiPost('/account/sign-out', {})
      clearDraft()
      if (data.issuer_url !== null) {
        location.assign(data.issuer_url)
        return
      }
      navigate('/dashboard/sign-in', { replace: true })
      queryClient.clear()
    })
  }
  const link = (to: string, name: NavName, icon: IconName) => (
    <li key={to}>
      <Link to={to} aria-current={isHere(to) ? 'page' : undefined} onClickCapture={() => setOpen(false)}>
        <Icon name={icon} />
        {t(`nav.${name}`)}
      </Link>
    </li>
  )

  const mayOpen = ([to]: NavLink) =>
    roleIncludes(session.role, REQUIRED_ROLES[to] ?? 'clerk') &&
    (session.runs_service || !OPERATOR_ONLY.includes(to)) &&
    (to !== '/dashboard/reports' || session.sees_margins)
  const links = [...SECTIONS.flatMap((section) => section.links), LEARNED_TACS].filter(mayOpen)
  const pages = [OVERVIEW, ...links, PHONE, ACCOUNT].map(([to, name]) => ({
    to,
    name: t(`nav.${name}`),
  }))

  return (
    <div className="frame">
      {isPaletteOpen ? <CommandPalette pages={pages} close={() => setPaletteOpen(false)} /> : null}
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
          <ul>{link(...OVERVIEW)}</ul>
          {SECTIONS.filter(({ links }) => links.some(mayOpen)).map(({ section, links }) => (
            <div key={section}>
              <p className="nav-title">{t(`nav.${section}`)}</p>
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
              <span className="muted">{t(`role.${session.role}`)}</span>
            </span>
          </Link>
          <LanguageSelect value={currentLanguage()} choose={changeLanguage} />
          <div className="me-actions">
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
        <SampleDataBanner />
        {children}
      </main>
    </div>
  )
}
