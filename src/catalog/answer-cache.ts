import { LRUCache } from 'lru-cache'

/** Answers kept for as long as their snapshot is served, within a budget; the longest unused goes first. */
export type AnswerCache<Answer> = {
  find(key: string): Answer | undefined
  keep(key: string, answer: Answer, bytes: number): void
}

const LONGEST_KEY = 512
/** An entry's own weight: its key and the places that hold it. */
const ENTRY_BYTES = 300

export function answerCache<Answer extends NonNullable<unknown>>(budgetBytes: number): AnswerCache<Answer> {
  // One answer that takes a quarter of the room is worth less than the many it would push out.
  const kept = new LRUCache<string, Answer>({ maxSize: budgetBytes, maxEntrySize: Math.floor(budgetBytes / 4) })
  return {
    find: (key) => kept.get(key),
    keep(key, answer, bytes) {
      if (key.length <= LONGEST_KEY) kept.set(key, answer, { size: bytes + ENTRY_BYTES })
    },
  }
}
