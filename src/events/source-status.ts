import type { SourceFacts } from '../risk/source-facts.ts'

/** Adverse statuses of a source in one line, the same for the same facts; null if there are none. */
export function sourceStatus({ blacklist, gsma, ctia, findings }: SourceFacts): string | null {
  const statuses = new Set<string>()
  if (blacklist === 'blacklisted' || gsma === 'blacklisted') statuses.add('blacklisted')
  if (blacklist === 'pending') statuses.add('pending')
  if (ctia === 'lost_stolen') statuses.add('lost_stolen')
  for (const { code } of findings) statuses.add(code)
  return statuses.size === 0 ? null : [...statuses].sort().join(', ')
}
