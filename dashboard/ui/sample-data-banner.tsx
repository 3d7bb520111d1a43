import { useState, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import type { ApiResponse } from '../api.ts'
import { queryClient } from '../queries.ts'
import { useSession } from '../session.tsx'
import { Button } from './basics.tsx'

const HIDDEN_KEY = 'sample-banner-folded'
/** How an answer says that it, or a part of it, rests on a simulated market. */
const IS_SAMPLE = /"source":"sample"|"sample":true/

const cache = queryClient.getQueryCache()
const isSampleShown = () =>
  cache.getAll().some((query) => {
    const answer = query.state.data as ApiResponse<unknown> | undefined
    return query.isActive() && answer !== undefined && IS_SAMPLE.test(answer.rawBody)
  })
const subscribe = (changed: () => void) => cache.subscribe(changed)

/** Says what is simulated while something simulated is on the screen, and how to have real prices instead. */
export function SampleDataBanner() {
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
        <span>Sample data</span>
      ) : (
        <span>
          Sample data is on: price histories are simulated until you import your own, and every answer that has one says
          so. {role === 'owner' ? <Link to="/dashboard/imports">How to import</Link> : null}
        </span>
      )}
      <Button variant="bare" aria-expanded={!folded} onClick={() => fold(!folded)}>
        {folded ? 'What is that?' : 'Fold'}
      </Button>
    </div>
  )
}
