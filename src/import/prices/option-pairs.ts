import { invalid } from '../../lib/errors.ts'

export type OptionPair = readonly [name: string, value: string, text: string]

/**
 * Parses pairs from the command line: `a=b,c=d`, or a JSON object for names that contain a comma. A part without an equals
 * sign is a value with an empty name. `separator` chooses the equals sign that separates name and value if there are several.
 */
export function parseOptionPairs(option: string, text: string, separator: 'first' | 'last' = 'first'): OptionPair[] {
  if (text.trimStart().startsWith('{')) return parseOptionObject(option, text)
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const index = separator === 'first' ? part.indexOf('=') : part.lastIndexOf('=')
      return [index < 0 ? '' : part.slice(0, index).trim(), part.slice(index + 1).trim(), part]
    })
}

function parseOptionObject(option: string, text: string): OptionPair[] {
  let object: unknown
  try {
    object = JSON.parse(text)
  } catch {
    throw invalid(option, text, 'pairs such as a=b,c=d, or a JSON object')
  }
  return Object.entries(object as object).map(([name, value]) => {
    if (typeof value !== 'string') throw invalid(option, value, 'texts in the JSON object')
    return [name.trim(), value.trim(), `${name}=${value}`]
  })
}
