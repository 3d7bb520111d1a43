import { readFileSync } from 'node:fs'
import { type Config, ConfigError, type Environment } from '../config.ts'
import { parseProviders } from '../risk/sources/provider-settings.ts'
import { loadFeeds } from './feeds.ts'

/** Reads the files with outside sources and feeds; reports all errors of both together. */
export async function readSettingsFiles({ sourcesFile, feedsFile }: Config, environment: Environment) {
  const sources = readProviderFile(sourcesFile, environment)
  const { feeds, errors } = await loadFeeds(feedsFile, environment)
  const allErrors = [...sources.mistakes.map((mistake) => `SOURCES_FILE: ${mistake}`), ...errors]
  if (allErrors.length > 0) throw new ConfigError(allErrors)
  return { providers: sources.providers, feeds }
}

function readProviderFile(file: string, environment: Environment): ReturnType<typeof parseProviders> {
  if (file === '') return { providers: [], mistakes: [] }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return { providers: [], mistakes: [`"${file}" cannot be read`] }
  }
  return parseProviders(text, environment)
}
