/** Slugs by the hundred thousand: imports and the tables on board ask for the same words again and again. */
import { slug } from './device.ts'

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
