import { splitHosts } from './host-list.ts'

/** `DATABASE_URL` with several hosts, as libpq has it: `postgres://user@a:5432,b:5432/db?target_session_attrs=read-write`. */

const SESSION_ATTRIBUTE = 'target_session_attrs'
/** The service writes, so it has no use for a standby. */
const WRITABLE = ['read-write', 'primary']

export type HostList = {
  /** One address per host, in the order of the list. */
  readonly urls: readonly string[]
  /** Whether a host must be asked if it is the primary before it is used. */
  readonly isChecked: boolean
}

/** The addresses of the hosts; undefined if the text is no such address. */
export function parseHostList(url: string): HostList | undefined {
  const urls = /^postgres(ql)?:/.test(url) ? splitHosts(url) : undefined
  if (!urls) return undefined
  const wanted = new URL(urls[0] ?? '').searchParams.get(SESSION_ATTRIBUTE)
  if (wanted !== null && wanted !== 'any' && !WRITABLE.includes(wanted)) return undefined
  return {
    urls: wanted === null ? urls : urls.map(withoutSessionAttribute),
    isChecked: urls.length > 1 || (wanted !== null && wanted !== 'any'),
  }
}

function withoutSessionAttribute(url: string): string {
  return url
    .replace(/([?&])target_session_attrs=[^&#]*(&?)/, (_, before: string, after: string) => (after ? before : ''))
    .replace(/[?&]$/, '')
}

/** An address with the first host only, for its database and user. */
export const firstHost = (url: string) => new URL(parseHostList(url)?.urls[0] ?? url)
