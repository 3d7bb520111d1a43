import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { ApiResponse } from '../api.ts'
import { queryClient } from '../queries.ts'
import { useSession } from '../session.tsx'
import { Button } from './button.tsx'

const HIDDEN_KEY = 'sample-banner-folded'
const PAGES_KEY = 'sample-banner-pages'
const MAX_PAGES = 50
/** After this time without sample data a page has none. */
const SETTLE_MS = 2_000
/** Pages that had sample data when they were last seen. */
function pagesWithSample(): readonly string[] {
  try {
    return JSON.parse(localStorage.getItem(PAGES_KEY) ?? '[]')
  } catch {
    return []
  }
}
/** How a response marks simulated data. */
const IS_SAMPLE = /"source":"sample"|"sample":true/

const cache = queryClient.getQueryCache()
/** Whether the page shows sample data; undefined while it loads. */
function isSampleShown(): boolean | undefined {
  const responses = cache
    .getAll()
    .filter((query) => query.isActive())
    .map((query) => query.state.data as ApiResponse<unknown> | undefined)
  if (responses.some((response) => response && IS_SAMPLE.test(response.rawBody))) return true
  return responses.includes(undefined) ? undefined : false
}
const subscribe = (changed: () => void) => cache.subscribe(changed)

/**
 * Explains sample data on pages that show some. It stays while the page loads other data: a banner that comes and goes moves the
 * buttons below it.
 */
export function SampleDataBanner() {
  const { t } = useTranslation()
  const hasSample = useSyncExternalStore(subscribe, isSampleShown)
  const [path] = useLocation()
  const shownOn = useRef<string>(null)
  if (hasSample !== undefined) shownOn.current = hasSample ? path : null
  // A page that had sample data when it was last seen starts with the banner, so that it does not push the page down; it goes
  // only if the page has none for a while, because its requests follow one another.
  const wasShown = useMemo(() => pagesWithSample().includes(path), [path])
  const [freeOf, setFreeOf] = useState<string | null>(null)
  useEffect(() => {
    const note = (isShown: boolean) => {
      const others = pagesWithSample().filter((other) => other !== path)
      localStorage.setItem(PAGES_KEY, JSON.stringify(isShown ? [...others.slice(-MAX_PAGES), path] : others))
      setFreeOf(isShown ? null : path)
    }
    if (hasSample) return note(true)
    if (hasSample === undefined) return
    const timer = setTimeout(() => note(false), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [hasSample, path])
  const { role } = useSession()
  const [folded, setFolded] = useState(localStorage.getItem(HIDDEN_KEY) === 'yes')
  if (shownOn.current !== path && !(wasShown && freeOf !== path)) return null
  function fold(next: boolean) {
    localStorage.setItem(HIDDEN_KEY, next ? 'yes' : 'no')
    setFolded(next)
  }
  return (
    <div className={folded ? 'banner banner-folded' : 'banner'}>
      {folded ? (
        <span>{t('sample.short')}</span>
      ) : (
        <span>
          {t('sample.long')} {role === 'owner' ? <Link to="/dashboard/imports">{t('sample.import')}</Link> : null}
        </span>
      )}
      <Button variant="link" aria-expanded={!folded} onClick={() => fold(!folded)}>
        {t(folded ? 'action.show' : 'action.hide')}
      </Button>
    </div>
  )
}
