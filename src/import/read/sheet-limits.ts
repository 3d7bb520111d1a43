/** Finds sheets of a size that no list has, before they are read: a few kilobytes of XML may name a billion cells. */
import { MAX_COLUMNS, MAX_SHARED_TEXTS, MAX_SHEET_ROWS } from './limits.ts'

/** A tag that is cut by the end of a chunk is read with the next one; a longer one has no attribute that counts. */
const MAX_TAG_CHARS = 1_000

const TAG = /<(?:\w+:)?(row|c|si)(?=[\s/>])([^>]*)>/g
const ROW_NUMBER = /\sr\s*=\s*["'](\d+)/
const COLUMN_LETTERS = /\sr\s*=\s*["']([A-Z]+)\d/i

/** Takes the text of a part piece by piece; returns what is wrong with it as soon as that is known. */
export type PartScanner = (piece: string) => string | undefined

/** For every part, because a workbook may name any of them as a sheet. */
export function partScanner(): PartScanner {
  let texts = 0
  /** Cells of the current row; other lists of cells, such as those with formulas, have no rows. */
  let cells: number | undefined
  return inTags((xml) => {
    for (const [, tag, attributes = ''] of xml.matchAll(TAG)) {
      if (tag === 'si') {
        if (++texts > MAX_SHARED_TEXTS)
          return `it has more than ${MAX_SHARED_TEXTS.toLocaleString('en')} different texts`
      } else if (tag === 'row') {
        cells = 0
        const row = Number(ROW_NUMBER.exec(attributes)?.[1] ?? 0)
        if (row > MAX_SHEET_ROWS) return `row ${row} is behind the last one of a sheet`
      } else {
        if (cells !== undefined) cells++
        const column = Math.max(cells ?? 0, columnOf(COLUMN_LETTERS.exec(attributes)?.[1] ?? ''))
        if (column > MAX_COLUMNS) return `a row has more than ${MAX_COLUMNS.toLocaleString('en')} columns`
      }
    }
    return undefined
  })
}

/** Keeps the start of a tag that a piece cuts for the next one. */
function inTags(scan: PartScanner): PartScanner {
  let rest = ''
  return (piece) => {
    const text = rest + piece
    const open = text.lastIndexOf('<')
    const isCut = open >= 0 && text.indexOf('>', open) < 0 && text.length - open <= MAX_TAG_CHARS
    rest = isCut ? text.slice(open) : ''
    return scan(isCut ? text.slice(0, open) : text)
  }
}

/** 1 for A, 27 for AA. */
function columnOf(letters: string): number {
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return column
}
