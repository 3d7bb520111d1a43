/** A logged request, without query and body. */
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

/** Maximum per organization between two writes; further requests are only counted. */
export const MAX_ENTRIES_PER_ORGANIZATION = 500

/** Buffers requests until they are written. Each organization has its own share of the buffer. */
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
