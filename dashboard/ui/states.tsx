import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RequestError } from '../api.ts'
import { Button } from './button.tsx'

/** The error of a request; nothing without one. */
export function ErrorMessage({ error, onRetry }: { error: RequestError | null; onRetry?: () => unknown }) {
  const { t } = useTranslation()
  if (!error) return null
  return (
    <div className="problem" role="alert">
      <p>{error.message}</p>
      {onRetry ? <Button onClick={onRetry}>{t('action.tryAgain')}</Button> : null}
    </div>
  )
}

type EmptyStateProps = { title: string; hint?: ReactNode; children?: ReactNode }

export function EmptyState({ title, hint, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {hint ? <p>{hint}</p> : null}
      {children}
    </div>
  )
}

export function LoadingSkeleton({ lines = 4 }: { lines?: number }) {
  const { t } = useTranslation()
  return (
    <div className="loading" role="status" aria-label={t('loading')}>
      {Array.from({ length: lines }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <span key={i} className="skeleton-line" />
      ))}
    </div>
  )
}
