import type { ReloadOnChange } from '../db/reload-on-change.ts'
import type { TaughtPhrases } from '../text/taught.ts'
import type { DeviceListStore } from './device-list-store.ts'
import { toPhrasesOfTexts } from './taught-words.ts'

export type TaughtWordService = {
  readonly phrasesOf: (organizationId: string) => Promise<TaughtPhrases>
  /** Resolves when words taught before the call are used. */
  readonly refresh: () => Promise<void>
  readonly close: () => void
}

/** An organization may teach 2,000 words. */
const MAX_ORGANIZATIONS = 200

/** Keeps the taught words of the organizations that used them last, and forgets them on change. */
export function openTaughtWords(options: {
  readonly store: Pick<DeviceListStore, 'words'>
  readonly reloadOnChange: ReloadOnChange
  readonly maxOrganizations?: number
}): TaughtWordService {
  const { store, maxOrganizations = MAX_ORGANIZATIONS } = options
  /** The one that was used last is at the end. */
  const recent = new Map<string, Promise<TaughtPhrases>>()
  const { refresh, close } = options.reloadOnChange(async () => recent.clear())

  function wordsOf(organizationId: string): Promise<TaughtPhrases> {
    const words = recent.get(organizationId) ?? store.words(organizationId).then(toPhrasesOfTexts)
    recent.delete(organizationId)
    recent.set(organizationId, words)
    const [oldest] = recent.keys()
    if (recent.size > maxOrganizations && oldest !== undefined) recent.delete(oldest)
    words.catch(() => {
      if (recent.get(organizationId) === words) recent.delete(organizationId)
    })
    return words
  }
  return {
    phrasesOf: wordsOf,
    refresh,
    close,
  }
}
