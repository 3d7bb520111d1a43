import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useTranslation } from 'react-i18next'
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
  const { t } = useTranslation()
  return (
    <div role="alert">
      <EmptyState title={t('crash.title')}>
        <p>{t('crash.hint')}</p>
        <Button variant="primary" onClick={() => location.reload()}>
          {t('action.reload')}
        </Button>
      </EmptyState>
    </div>
  )
}
