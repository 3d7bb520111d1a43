/** Slugs by the hundred thousand: an import asks for the same names again and again. */
import { slug } from '../../catalog/device.ts'

const MOST = 50_000
const made = new Map<string, string>()

export function slugOf(text: string): string {
  let known = made.get(text)
  if (known === undefined) {
    known = slug(text)
    if (made.size >= MOST) made.clear()
    made.set(text, known)
  }
  return known
}
