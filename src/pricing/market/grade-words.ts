import { remembered } from '../../remembered.ts'
import type { Rung } from '../engine/rung.ts'

/** The grade words of other markets, each with the rung it is read as. A new word is one line here. */
const GRADES: Readonly<Record<string, Rung>> = {
  new: 'New',
  'brand new': 'New',
  sealed: 'New',
  'factory sealed': 'New',
  'new sealed': 'New',
  'new in box': 'New',
  'new resale': 'New',
  'new open box': 'New',
  'new other': 'New',

  excellent: 'Excellent',
  'excellent refurbished': 'Excellent',
  'excellent condition': 'Excellent',
  mint: 'Excellent',
  'near mint': 'Excellent',
  flawless: 'Excellent',
  pristine: 'Excellent',
  perfect: 'Excellent',
  'like new': 'Excellent',
  'as new': 'Excellent',
  'open box': 'Excellent',
  open: 'Excellent',
  premium: 'Excellent',
  certified: 'Excellent',
  'certified refurbished': 'Excellent',
  'certified pre owned': 'Excellent',
  'manufacturer refurbished': 'Excellent',
  'mfr refurb': 'Excellent',
  'a+': 'Excellent',
  aa: 'Excellent',
  a: 'Excellent',

  good: 'Good',
  'good refurbished': 'Good',
  'good condition': 'Good',
  'very good': 'Good',
  'very good refurbished': 'Good',
  'very good condition': 'Good',
  used: 'Good',
  'used good': 'Good',
  'pre owned': 'Good',
  preowned: 'Good',
  refurbished: 'Good',
  refurb: 'Good',
  renewed: 'Good',
  'seller refurbished': 'Good',
  'seller refurb': 'Good',
  working: 'Good',
  'a-': 'Good',
  ab: 'Good',
  'a/b': 'Good',
  'b+': 'Good',
  b: 'Good',

  fair: 'Fair',
  'fair condition': 'Fair',
  'fair refurbished': 'Fair',
  acceptable: 'Fair',
  ok: 'Fair',
  okay: 'Fair',
  average: 'Fair',
  worn: 'Fair',
  'well used': 'Fair',
  'heavily used': 'Fair',
  scratched: 'Fair',
  'b-': 'Fair',
  'c+': 'Fair',
  'b/c': 'Fair',
  c: 'Fair',

  poor: 'Poor',
  bad: 'Poor',
  damaged: 'Poor',
  broken: 'Poor',
  cracked: 'Poor',
  'cracked screen': 'Poor',
  faulty: 'Poor',
  defective: 'Poor',
  'not working': 'Poor',
  'non working': 'Poor',
  'for parts': 'Poor',
  'parts only': 'Poor',
  parts: 'Poor',
  'for parts or not working': 'Poor',
  'for parts not working': 'Poor',
  salvage: 'Poor',
  'c-': 'Poor',
  d: 'Poor',
  'd+': 'Poor',
  e: 'Poor',
}

export type Grade = {
  readonly rung: Rung
  /** The seller's own word, kept so that "very good" and "good" need not sell at the same price. */
  readonly label: string
}

/** Reads a grade word of any known market; undefined when it says nothing we can place. Lists repeat few words many times. */
export const readGrade = remembered(1_000, placeGrade)

function placeGrade(text: string): Grade | undefined {
  const label = text
    .toLowerCase()
    .replace(/[()_,–—]/g, ' ')
    .replace(/\s-\s|(?<=\w)-(?=\w)/g, ' ')
    .replace(/^\s*(grade|condition|cosmetic)\b/, ' ')
    .replace(/\b(grade)\s*$/, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const rung = Object.hasOwn(GRADES, label) ? GRADES[label] : undefined
  return rung && { rung, label }
}
