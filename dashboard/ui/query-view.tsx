import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiResponse } from '../api.ts'
import { PageHeader } from './page-header.tsx'
import { ErrorMessage, LoadingSkeleton } from './states.tsx'

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
  if (error || !query.data) {
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
      {isEmpty ? empty : children(data, query.data)}
    </div>
  )
}
