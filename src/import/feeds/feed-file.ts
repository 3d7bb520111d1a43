import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type FeedFile, isPath, type KnownFormat, readFeeds } from './feed-settings.ts'

/** The feeds that the operator's file describes, and every mistake in it; none of either without a file. Paths count from the file. */
export function readFeedFile(
  file: string,
  known: {
    readonly formats: readonly KnownFormat[]
    readonly environment: Readonly<Record<string, string | undefined>>
    readonly now: number
  },
): FeedFile {
  if (file === '') return { feeds: [], mistakes: [] }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return { feeds: [], mistakes: [`"${file}" cannot be read`] }
  }
  const { feeds, mistakes } = readFeeds(text, known)
  const located = feeds.map((feed) => (isPath(feed.url) ? { ...feed, url: resolve(dirname(file), feed.url) } : feed))
  return { feeds: located, mistakes }
}
