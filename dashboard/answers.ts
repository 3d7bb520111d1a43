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
import { type Answered, get, Refusal } from './service.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Refusal
  }
}

/** The pages that are there for people without a session. */
const IS_FOR_ANYONE = /^\/dashboard\/(?:sign-in|join)\b/

/** Without a session nothing can be shown: the person signs in and comes back to where they were. */
function leaveIfSignedOut(refusal: Error): void {
  if (!(refusal instanceof Refusal) || refusal.code !== 'UNAUTHORIZED' || IS_FOR_ANYONE.test(location.pathname)) return
  const next = location.pathname + location.search
  navigate(`/dashboard/sign-in${next === '/dashboard' ? '' : `?next=${encodeURIComponent(next)}`}`, { replace: true })
}

const isPassing = (refusal: Refusal) => refusal.code === 'UNREACHABLE' || refusal.code === 'SERVICE_UNAVAILABLE'

/** Everything that was asked and answered. It forgets when the person or the organization changes. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveIfSignedOut }),
  mutationCache: new MutationCache({
    onError: leaveIfSignedOut,
    // A change may show anywhere; what is on the screen is asked again, the rest when it is next looked at.
    onSuccess: () => void queryClient.invalidateQueries(),
  }),
  defaultOptions: {
    // The service may run on this very machine: whether the browser has a network says nothing about it.
    queries: { networkMode: 'always', retry: (failures, refusal) => failures < 2 && isPassing(refusal) },
    mutations: { networkMode: 'always' },
  },
})

const placeOf = (path: string) => path.split('?', 1)[0] ?? ''

/** The answer at a path, for `useQuery`, `queryClient.setQueryData` and their like. */
export const answerAt = <T>(path: string) =>
  queryOptions<Answered<T>>({
    queryKey: [placeOf(path), path],
    queryFn: ({ signal }) => get<T>(path, signal),
    // A list that only changed its filter keeps its rows meanwhile; another page starts empty.
    placeholderData: (previous, query) =>
      query?.queryKey[0] === placeOf(path) ? keepPreviousData(previous) : undefined,
  })

/** What the service answers at a path; nothing is asked while there is none. */
export function useAnswer<T>(path: string | null): UseQueryResult<Answered<T>> {
  return useQuery({ ...answerAt<T>(path ?? ''), ...(path === null ? { queryFn: skipToken } : {}) })
}

/** One change at a time: whether it is under way, and what the service says when it refuses. */
export function useChange() {
  return useMutation({ mutationFn: (work: () => Promise<void>) => work() })
}
