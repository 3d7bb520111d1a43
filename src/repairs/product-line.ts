import { type Device, nameWithoutMake } from '../catalog/device.ts'

/** A family of similar devices: `apple-iphone`, `samsung-galaxy-s`. A device belongs to the line with the longest matching prefix. */
export type ProductLine = {
  readonly id: string
  readonly make: string
  readonly category: string
  readonly prefixes: readonly string[]
}

export function findProductLine(
  lines: readonly ProductLine[],
  device: Pick<Device, 'make' | 'category' | 'name'>,
): ProductLine | null {
  const name = nameWithoutMake(device).toLowerCase()
  let best: ProductLine | null = null
  let bestLength = -1
  for (const line of lines) {
    if (line.make.toLowerCase() !== device.make.toLowerCase()) continue
    if (line.category.toLowerCase() !== device.category.toLowerCase()) continue
    for (const prefix of line.prefixes) {
      if (prefix.length > bestLength && beginsWith(name, prefix.toLowerCase())) {
        best = line
        bestLength = prefix.length
      }
    }
  }
  return best
}

/** "Galaxy S" begins "Galaxy S21" but not "Galaxy Star"; the empty prefix begins every name. */
function beginsWith(name: string, prefix: string): boolean {
  if (prefix === '') return true
  if (!name.startsWith(prefix)) return false
  const next = name.charAt(prefix.length)
  return next === '' || !/\p{L}/u.test(next)
}
