import { readFileSync } from 'node:fs'
import { type ProviderSettings, parseProviders } from './provider-settings.ts'

/** Outside sources of the operator's file and all errors in it; empty without a file. */
export function readProviderFile(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly providers: readonly ProviderSettings[]; readonly mistakes: readonly string[] } {
  if (file === '') return { providers: [], mistakes: [] }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return { providers: [], mistakes: [`"${file}" cannot be read`] }
  }
  return parseProviders(text, environment)
}
