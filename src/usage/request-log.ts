/** A request as the log of an organization keeps it: neither query nor body. */
export type RequestLogEntry = {
  readonly organizationId: string
  readonly at: number
  readonly keyId: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
}

/** Of one organization between two writes; what is beyond it is counted and not kept one by one. */
export const MAX_ENTRIES_PER_ORGANIZATION = 500

/** Requests that wait to be written. A busy organization fills its own share and nobody else's. */
export function requestLog() {
  let waiting: RequestLogEntry[] = []
  let kept = new Map<string, number>()
  return {
    add(use: RequestLogEntry): void {
      const already = kept.get(use.organizationId) ?? 0
      if (already >= MAX_ENTRIES_PER_ORGANIZATION) return
      kept.set(use.organizationId, already + 1)
      waiting.push(use)
    },
    take(): readonly RequestLogEntry[] {
      const taken = waiting
      waiting = []
      kept = new Map()
      return taken
    },
  }
}
