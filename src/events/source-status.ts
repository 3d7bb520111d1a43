import type { SourceFacts } from '../risk/source-facts.ts'

/** What speaks against a device in the words of a source, in one line that is the same for the same facts; null for nothing. */
export function sourceStatus({ blacklist, gsma, ctia, findings }: SourceFacts): string | null {
  const said = new Set<string>()
  if (blacklist === 'blacklisted' || gsma === 'blacklisted') said.add('blacklisted')
  if (blacklist === 'pending') said.add('pending')
  if (ctia === 'lost_stolen') said.add('lost_stolen')
  for (const { code } of findings) said.add(code)
  return said.size === 0 ? null : [...said].sort().join(', ')
}
