import type { ReadTaughtWords } from '../../appraisal/appraisal-service.ts'
import type { ReloadOnChange } from '../../db/reload-on-change.ts'
import type { DeviceListStore } from './device-list-store.ts'
import { NO_TAUGHT_WORDS, readTaughtText, type TaughtWords, toWordsOfTexts } from './taught-words.ts'

export type TaughtWordService = {
  readonly read: ReadTaughtWords
  /** Resolves when words taught before the call are read. */
  readonly refresh: () => Promise<void>
  readonly close: () => void
}

/** Keeps the taught words of all organizations in memory and reloads them on change. */
export async function openTaughtWords(options: {
  readonly store: Pick<DeviceListStore, 'allWords'>
  readonly reloadOnChange: ReloadOnChange
}): Promise<TaughtWordService> {
  let words: ReadonlyMap<string, TaughtWords> = new Map()
  async function load(): Promise<void> {
    const stored = await options.store.allWords()
    words = new Map([...stored].map(([organizationId, taught]) => [organizationId, toWordsOfTexts(taught)]))
  }
  await load()
  const { refresh, close } = options.reloadOnChange(load)
  return {
    read: (organizationId, text) => readTaughtText(text, words.get(organizationId) ?? NO_TAUGHT_WORDS),
    refresh,
    close,
  }
}
