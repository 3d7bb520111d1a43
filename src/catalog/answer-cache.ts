/** Answers kept for as long as their snapshot is served, within a budget; the longest unused goes first. */
export type AnswerCache<Answer> = {
  find(key: string): Answer | undefined
  keep(key: string, answer: Answer, bytes: number): void
}

const LONGEST_KEY = 512
/** An entry's own weight: its key and the places that hold it. */
const ENTRY_BYTES = 300

export function answerCache<Answer>(budgetBytes: number): AnswerCache<Answer> {
  const kept = new Map<string, { answer: Answer; bytes: number; used: boolean }>()
  let total = 0
  return {
    find(key) {
      const entry = kept.get(key)
      if (!entry) return undefined
      entry.used = true
      return entry.answer
    },
    keep(key, answer, bytes) {
      const weight = bytes + ENTRY_BYTES
      if (key.length > LONGEST_KEY || weight > budgetBytes / 4 || kept.has(key)) return
      kept.set(key, { answer, bytes: weight, used: false })
      total += weight
      // Second chance: what was asked for since it was last looked at moves to the end instead of out.
      for (const [old, entry] of kept) {
        if (total <= budgetBytes) return
        kept.delete(old)
        if (entry.used && old !== key) {
          entry.used = false
          kept.set(old, entry)
        } else total -= entry.bytes
      }
    },
  }
}
