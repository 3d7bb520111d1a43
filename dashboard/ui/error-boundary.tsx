import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useLocation } from 'wouter'
import { Button, EmptyState } from './basics.tsx'

/** A mistake of ours in one page leaves the rest of the dashboard standing. So does a page of a version that is gone. */
export function PageErrorBoundary({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  return (
    <ErrorBoundary FallbackComponent={ErrorFallback} resetKeys={[path]}>
      {children}
    </ErrorBoundary>
  )
}

function ErrorFallback() {
  return (
    <div role="alert">
      <EmptyState title="This page could not be shown">
        <p>The service may have been renewed since it was opened. Nothing that was saved is lost.</p>
        <Button variant="main" onClick={() => location.reload()}>
          Load it again
        </Button>
      </EmptyState>
    </div>
  )
}
