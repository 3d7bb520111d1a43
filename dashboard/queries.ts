import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  skipToken,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { type ApiResponse, callApi, RequestError } from './api.ts'
import type { ApiData, ApiRequest, ReadRouteName } from './endpoint-types.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: RequestError
  }
}

/** The pages that are there for people without a session. */
const PUBLIC_PAGES = /^\/dashboard\/(?:sign-in|signed-in|join)\b/

/** Whether the session ended while a page was open; its listeners. */
let isSessionEnded = false
const sessionListeners = new Set<() => void>()
export function setSessionEnded(isEnded: boolean): void {
  isSessionEnded = isEnded
  for (const changed of sessionListeners) changed()
}
/** Whether the person must sign in again, on top of the page: what was typed stays. */
export const useSessionEnded = () =>
  useSyncExternalStore(
    (changed) => {
      sessionListeners.add(changed)
      return () => sessionListeners.delete(changed)
    },
    () => isSessionEnded,
  )

/** Without a session: sign in on top of an open page, else first, and then return to this address. */
function askForSignIn(error: Error): void {
  if (!(error instanceof RequestError) || error.code !== 'UNAUTHORIZED' || PUBLIC_PAGES.test(location.pathname)) return
  if (queryClient.getQueryData(operationQuery('GET /account/session', {}).queryKey)) {
    setSessionEnded(true)
    return
  }
  const next = location.pathname + location.search
  navigate(`/dashboard/sign-in${next === '/dashboard' ? '' : `?next=${encodeURIComponent(next)}`}`, { replace: true })
}

const isTransient = (error: RequestError) => error.code === 'UNREACHABLE' || error.code === 'SERVICE_UNAVAILABLE'

/** All responses. Cleared when the person or the organization changes. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: askForSignIn }),
  mutationCache: new MutationCache({
    onError: askForSignIn,
    // A change may show anywhere: what is on the screen is fetched again, the rest when it is next shown.
    onSuccess: () => void queryClient.invalidateQueries(),
  }),
  defaultOptions: {
    // The service may run on this very machine: whether the browser has a network says nothing about it.
    queries: { networkMode: 'always', retry: (failures, error) => failures < 2 && isTransient(error) },
    mutations: { networkMode: 'always' },
  },
})

/** The response of a request that reads, for `useQuery` and `queryClient.setQueryData`. */
export const operationQuery = <R extends ReadRouteName>(route: R, request: ApiRequest<R>) =>
  queryOptions<ApiResponse<ApiData<R>>>({
    queryKey: [route, request],
    queryFn: ({ signal }) => callApi(route, request, signal),
    // A list that only changed its filter keeps its rows meanwhile; another page starts empty.
    placeholderData: (previous, query) => (query?.queryKey[0] === route ? keepPreviousData(previous) : undefined),
  })

/** The response of a request that reads; nothing is sent while the request is null. */
export function useOperation<R extends ReadRouteName>(
  route: R,
  request: ApiRequest<R> | null,
): UseQueryResult<ApiResponse<ApiData<R>>> {
  const query = operationQuery(route, request ?? ({} as ApiRequest<R>))
  return useQuery(request === null ? { ...query, queryFn: skipToken } : query)
}

/** A change, whether it is pending, and the error if it failed. A later call replaces an earlier one that still runs. */
export function useLatestMutation() {
  return useMutation({ mutationFn: (work: () => Promise<unknown>) => work() })
}

/** One change at a time: while it runs further calls do nothing, so that a double click sends it once. */
export function useApiMutation() {
  const mutation = useLatestMutation()
  const { mutate: start } = mutation
  const isRunning = useRef(false)
  const mutate = useCallback(
    (work: () => Promise<unknown>) => {
      if (isRunning.current) return
      isRunning.current = true
      start(async () => {
        try {
          return await work()
        } finally {
          isRunning.current = false
        }
      })
    },
    [start],
  )
  /** The same for callers that wait for the end; `error` says whether it failed. */
  const run = (work: () => Promise<unknown>) =>
    new Promise<void>((resolve) => {
      if (isRunning.current) return resolve()
      mutate(async () => {
        try {
          return await work()
        } finally {
          resolve()
        }
      })
    })
  return { ...mutation, mutate, run }
}

const POLL_MS = 2_000

/** Refetches regularly while something is running on the server. */
export function usePolling(isRunning: boolean, refetch: () => unknown): void {
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(refetch, POLL_MS)
    return () => clearInterval(timer)
  }, [isRunning, refetch])
}
