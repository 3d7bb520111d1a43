import type { ReactNode } from 'react'
import type { RequestError } from '../api.ts'
import { Button } from './button.tsx'

export function ErrorMessage({ error, onRetry }: { error: RequestError; onRetry?: () => unknown }) {
  return (
    <div className="problem" role="alert">
      <p>{error.message}</p>
      {onRetry ? <Button onClick={onRetry}>Try again</Button> : null}
    </div>
  )
}

export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  )
}

export function LoadingSkeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div className="loading" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <span key={i} className="skeleton-line" />
      ))}
    </div>
  )
}
