import type { SiblingChannel, Spent } from '../ratelimit/siblings.ts'

type Heard = { readonly spent: Spent; readonly isOwn: boolean }

/** To the process that started this one, which passes on what each reports to all of them. */
export function siblingChannel(): SiblingChannel | undefined {
  if (process.send === undefined) return undefined
  return {
    report(spent) {
      if (process.connected) process.send?.(spent)
    },
    onHeard(heard) {
      process.on('message', ({ spent, isOwn }: Heard) => heard(spent, isOwn))
    },
  }
}
