import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ApiResponse } from '../api.ts'
import { queryClient } from '../queries.ts'
import { useSession } from '../session.tsx'
import { Button } from './button.tsx'

const HIDDEN_KEY = 'sample-banner-folded'
/** How a response marks simulated data. */
const IS_SAMPLE = /"source":"sample"|"sample":true/

const cache = queryClient.getQueryCache()
const isSampleShown = () =>
  cache.getAll().some((query) => {
    const response = query.state.data as ApiResponse<unknown> | undefined
    return query.isActive() && response !== undefined && IS_SAMPLE.test(response.rawBody)
  })
const subscribe = (changed: () => void) => cache.subscribe(changed)

/** Explains sample data while some of it is on the screen. */
export function SampleDataBanner() {
  const { t } = useTranslation()
  const isShown = useSyncExternalStore(subscribe, isSampleShown)
  const { role } = useSession()
  const [folded, setFolded] = useState(localStorage.getItem(HIDDEN_KEY) === 'yes')
  if (!isShown) return null
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
