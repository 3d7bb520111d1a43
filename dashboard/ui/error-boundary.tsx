import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useLocation } from 'wouter'
import { Button } from './button.tsx'
import { EmptyState } from './states.tsx'

/** Contains a crash to one page, including a script of an old version that no longer exists. */
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
      <EmptyState title="This page could not be loaded">
        <p>The service may have been updated. Your saved data is not affected.</p>
        <Button variant="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      </EmptyState>
    </div>
  )
}
