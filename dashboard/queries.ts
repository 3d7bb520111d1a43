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
import { navigate } from 'wouter/use-browser-location'
import { type ApiResponse, apiGet, RequestError } from './api.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: RequestError
  }
}

/** The pages that are there for people without a session. */
const PUBLIC_PAGES = /^\/dashboard\/(?:sign-in|join)\b/

/** Without a session nothing can be shown: the person signs in and comes back to where they were. */
function redirectToSignIn(refusal: Error): void {
  if (!(refusal instanceof RequestError) || refusal.code !== 'UNAUTHORIZED' || PUBLIC_PAGES.test(location.pathname))
    return
  const next = location.pathname + location.search
  navigate(`/dashboard/sign-in${next === '/dashboard' ? '' : `?next=${encodeURIComponent(next)}`}`, { replace: true })
}

const isTransient = (refusal: RequestError) => refusal.code === 'UNREACHABLE' || refusal.code === 'SERVICE_UNAVAILABLE'

/** Everything that was asked and answered. It forgets when the person or the organization changes. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: redirectToSignIn }),
  mutationCache: new MutationCache({
    onError: redirectToSignIn,
    // A change may show anywhere; what is on the screen is asked again, the rest when it is next looked at.
    onSuccess: () => void queryClient.invalidateQueries(),
  }),
  defaultOptions: {
    // The service may run on this very machine: whether the browser has a network says nothing about it.
    queries: { networkMode: 'always', retry: (failures, refusal) => failures < 2 && isTransient(refusal) },
    mutations: { networkMode: 'always' },
  },
})

const pathWithoutQuery = (path: string) => path.split('?', 1)[0] ?? ''

/** The answer at a path, for `useQuery`, `queryClient.setQueryData` and their like. */
export const apiQuery = <T>(path: string) =>
  queryOptions<ApiResponse<T>>({
    queryKey: [pathWithoutQuery(path), path],
    queryFn: ({ signal }) => apiGet<T>(path, signal),
    // A list that only changed its filter keeps its rows meanwhile; another page starts empty.
    placeholderData: (previous, query) =>
      query?.queryKey[0] === pathWithoutQuery(path) ? keepPreviousData(previous) : undefined,
  })

/** What the service answers at a path; nothing is asked while there is none. */
export function useApiQuery<T>(path: string | null): UseQueryResult<ApiResponse<T>> {
  return useQuery({ ...apiQuery<T>(path ?? ''), ...(path === null ? { queryFn: skipToken } : {}) })
}

/** One change at a time: whether it is under way, and what the service says when it refuses. */
export function useApiMutation() {
  return useMutation({ mutationFn: (work: () => Promise<void>) => work() })
}
