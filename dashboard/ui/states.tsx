import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiResponse, RequestError } from '../api.ts'
import { Button } from './button.tsx'
import { PageHeader } from './page.tsx'

/** The error of a request, with a button to try again unless that cannot help; nothing without an error. */
export function ErrorMessage({ error, onRetry }: { error: RequestError | null; onRetry?: () => unknown }) {
  const { t } = useTranslation()
  if (!error) return null
  return (
    <div className="problem" role="alert">
      <p>{error.message}</p>
      {onRetry && error.code !== 'FORBIDDEN' ? <Button onClick={onRetry}>{t('action.tryAgain')}</Button> : null}
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

/** Errors after which older data must not be shown. */
const GONE: ReadonlySet<string> = new Set(['NOT_FOUND', 'FORBIDDEN'])

/** Shows the data of a query, its error or a loading skeleton. */
export function QueryView<T>({
  query,
  skeletonLines = 4,
  title,
  empty,
  notFound,
  children,
}: {
  query: UseQueryResult<ApiResponse<T>>
  skeletonLines?: number
  /** Page title while loading. */
  title?: string
  /** Shown for an empty list. */
  empty?: ReactNode
  /** Shown in place of the error NOT_FOUND. */
  notFound?: ReactNode
  children: (data: T, response: ApiResponse<T>) => ReactNode
}) {
  const error = query.data && query.isFetching ? null : query.error
  if (!query.data || (error && GONE.has(error.code))) {
    return (
      <>
        {title ? <PageHeader title={title} /> : null}
        {!error ? (
          <LoadingSkeleton lines={skeletonLines} />
        ) : notFound && error.code === 'NOT_FOUND' ? (
          notFound
        ) : (
          <ErrorMessage error={error} onRetry={query.refetch} />
        )}
      </>
    )
  }
  const { data } = query.data
  const isEmpty = empty !== undefined && Array.isArray(data) && data.length === 0
  return (
    <div className={query.isPlaceholderData ? 'is-stale' : undefined}>
      {/* What is typed on the page stays. Without a session the person signs in on top of it. */}
      <ErrorMessage error={error?.code === 'UNAUTHORIZED' ? null : error} onRetry={query.refetch} />
      {isEmpty ? empty : children(data, query.data)}
    </div>
  )
}
