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
  let entries: RequestLogEntry[] = []
  let countByOrganization = new Map<string, number>()
  return {
    add(entry: RequestLogEntry): void {
      const count = countByOrganization.get(entry.organizationId) ?? 0
      if (count >= MAX_ENTRIES_PER_ORGANIZATION) return
      countByOrganization.set(entry.organizationId, count + 1)
      entries.push(entry)
    },
    take(): readonly RequestLogEntry[] {
      const batch = entries
      entries = []
      countByOrganization = new Map()
      return batch
    },
  }
}
