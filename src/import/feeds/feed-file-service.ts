import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type FeedFileContent, type FeedFormat, isLocalPath, parseFeedFile } from './feed-settings.ts'

/** The feeds that the operator's file describes, and every mistake in it; none of either without a file. Paths count from the file. */
export function loadFeedFile(
  file: string,
  context: {
    readonly formats: readonly FeedFormat[]
    readonly environment: Readonly<Record<string, string | undefined>>
    readonly now: number
  },
): FeedFileContent {
  if (file === '') return { feeds: [], errors: [] }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return { feeds: [], errors: [`"${file}" cannot be read`] }
  }
  const { feeds, errors: mistakes } = parseFeedFile(text, context)
  const located = feeds.map((feed) =>
    isLocalPath(feed.url) ? { ...feed, url: resolve(dirname(file), feed.url) } : feed,
  )
  return { feeds: located, errors: mistakes }
}
