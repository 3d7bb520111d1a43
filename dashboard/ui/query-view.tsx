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
  children,
}: {
  query: UseQueryResult<ApiResponse<T>>
  skeletonLines?: number
  /** Page title while loading. */
  title?: string
  children: (data: T, response: ApiResponse<T>) => ReactNode
}) {
  if (query.error && (!query.data || !query.isFetching)) {
    return (
      <>
        {title ? <PageHeader title={title} /> : null}
        <ErrorMessage error={query.error} onRetry={query.refetch} />
      </>
    )
  }
  if (!query.data) {
    return (
      <>
        {title ? <PageHeader title={title} /> : null}
        <LoadingSkeleton lines={skeletonLines} />
      </>
    )
  }
  return <div className={query.isPlaceholderData ? 'is-stale' : undefined}>{children(query.data.data, query.data)}</div>
}
