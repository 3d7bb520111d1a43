import { isoInstant } from '../lib/time.ts'

/** The file for the rejected rows of an import, which its process fills. */
export function reportPath(folder: string, format: string, startedAt: number): string {
  const stamp = isoInstant(startedAt).replace(/[-:]/g, '').replace('.', '-')
  return `${folder}/import-${format}-${stamp}.csv`
}
