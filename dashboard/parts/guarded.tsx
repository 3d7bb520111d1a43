import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useLocation } from 'wouter'
import { Button, Empty } from './basics.tsx'

/** A mistake of ours in one page leaves the rest of the dashboard standing. So does a page of a version that is gone. */
export function Guarded({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  return (
    <ErrorBoundary FallbackComponent={Broken} resetKeys={[path]}>
      {children}
    </ErrorBoundary>
  )
}

function Broken() {
  return (
    <div role="alert">
      <Empty title="This page could not be shown">
        <p>The service may have been renewed since it was opened. Nothing that was saved is lost.</p>
        <Button look="main" onClick={() => location.reload()}>
          Load it again
        </Button>
      </Empty>
    </div>
  )
}
