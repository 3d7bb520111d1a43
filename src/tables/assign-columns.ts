/**
 * Which column of a table holds which field. A column scores for a field by its name and by the share of its cells that the field
 * can hold; the assignment with the best total counts. A needed field whose best columns are close is a doubt, which a person settles.
 */
import { editDistance } from '../lib/edit-distance.ts'
import { bestAssignment } from './best-assignment.ts'
import { columnKey, shortColumnKey } from './column-key.ts'
import { COLUMN_KEYS, type NamedColumn } from './column-words.ts'

export type TableColumn = {
  readonly at: number
  readonly title: string
  /** Forms of the title, each with the score of a word that equals it. */
  readonly keys: readonly TitleKey[]
  /** Sample cells that are not empty, trimmed. */
  readonly cells: readonly string[]
  /** Sample rows, also those without a cell. */
  readonly rows: number
}

export type TitleKey = { readonly key: string; readonly score: number }

export type Field<Name extends string> = {
  readonly name: Name
  /** Columns of columns.json by whose words it is known; of several words the first counts most. */
  readonly words: readonly NamedColumn[]
  /** Share of the cells that it can hold; `NEVER` if the column cannot be the field, whatever its name. Absent: any text fits. */
  readonly fit?: (column: TableColumn) => number
  /** Score of a column whose cells fit and whose name says nothing; absent: its name must say it. */
  readonly byCells?: number
  /** Share of the cells that tell a column whose name does not; `fit` if absent. */
  readonly fitAlone?: (column: TableColumn) => number
  /** Share of the cells that must fit where the name is not a word of the field. */
  readonly minFit?: number
  /** How much a column whose cells do not fit loses. */
  readonly misfit?: number
  /** Added to the score: which of several columns with good names is meant. */
  readonly preference?: (column: TableColumn) => number
  /** Two columns that score alike are a question. */
  readonly isNeeded?: boolean
}

/** Something else that looks like a field of the schema: a price when new, a day on which the seller registered. */
export type Decoy = { readonly words: NamedColumn; readonly fit?: (column: TableColumn) => number }

export type Schema<Name extends string> = { readonly fields: readonly Field<Name>[]; readonly decoys: readonly Decoy[] }

export type ColumnDoubt<Name extends string> = { readonly field: Name; readonly columns: readonly TableColumn[] }

export type Assigned<Name extends string> = {
  /** The field of each column; null for none. */
  readonly fields: readonly (Name | null)[]
  readonly doubts: readonly ColumnDoubt<Name>[]
}

export const NEVER = -1

const EXACT = 10
const WITHOUT_QUALIFIERS = 9
const SHORT = 8
const RESEMBLING = 5
/** Above a name that resembles a field, below one that is its word. */
const MENTIONED = 7
const BY_FIT = 4
const MISFIT = 6
const MIN_FIT = 0.5
/** Below this share the cells contradict the name. */
const CONTRADICTED = 0.2
/** A word counts less than the one before it. */
const BY_RANK = 0.002
/** Of columns that only resemble a field or fit it, the best must lead by this share. */
const CLOSE = 0.85
/** More columns are those of a program's whole database; the others are not read. */
const MAX_ASSIGNED = 120

export function tableColumns(
  titles: readonly string[],
  cellsOf: (at: number) => readonly string[],
  keysOf: (title: string) => readonly TitleKey[] = (title) => titleKeys(title),
): TableColumn[] {
  return titles.map((title, at) => {
    const cells = cellsOf(at).map((cell) => cell.trim())
    return { at, title, keys: keysOf(title), cells: cells.filter((cell) => cell !== ''), rows: cells.length }
  })
}

export function titleKeys(title: string, withoutQualifiers: (key: string) => string = (key) => key): TitleKey[] {
  const key = columnKey(title)
  return [
    { key, score: EXACT },
    { key: withoutQualifiers(key), score: WITHOUT_QUALIFIERS },
    { key: shortColumnKey(title), score: SHORT },
  ].filter((each, at, all) => each.key !== '' && all.findIndex(({ key: earlier }) => earlier === each.key) === at)
}

export const shareOf = ({ cells }: TableColumn, test: (cell: string) => boolean) =>
  cells.length === 0 ? 0 : cells.filter(test).length / cells.length

/** Whether the title is a word of the column, as it is or without what it says about currency and tax. */
export const isNamed = ({ keys }: TableColumn, column: NamedColumn) =>
  keys.some(({ key }) => COLUMN_KEYS[column].includes(key))

/** `fixed`: the field of columns that the user assigned; null for one that is not to be used. */
export function assignColumns<Name extends string>(
  columns: readonly TableColumn[],
  { fields, decoys }: Schema<Name>,
  fixed: ReadonlyMap<number, Name | null> = new Map(),
): Assigned<Name> {
  const taken = new Set(fixed.values())
  const open = fields.filter(({ name }) => !taken.has(name))
  const scored = columns
    .filter(({ at }) => !fixed.has(at))
    .map((column) => {
      const decoy = Math.max(0, ...decoys.map((each) => decoyScore(each, column)))
      return { column, decoy, scores: open.map((field) => scoreOf(field, column)) }
    })
    .filter(({ scores, decoy }) => scores.some((score) => score > decoy))
    .slice(0, MAX_ASSIGNED)
  // A decoy keeps its column unless a field wants it more than that.
  const best = bestAssignment(scored.map(({ scores, decoy }) => scores.map((score) => score - decoy)))
  const assigned: (Name | null)[] = columns.map(({ at }) => fixed.get(at) ?? null)
  for (const [index, field] of best.entries()) {
    const at = scored[index]?.column.at
    if (at !== undefined && field >= 0) assigned[at] = (open[field] as Field<Name>).name
  }
  const doubts: ColumnDoubt<Name>[] = []
  for (const [index, field] of open.entries()) {
    const winner = scored.find(({ column }) => assigned[column.at] === field.name)
    if (!winner) continue
    const score = winner.scores[index] as number
    const isByName = nameScore(field, winner.column) > MENTIONED
    const rivals = scored.filter(
      ({ column, scores, decoy }) =>
        assigned[column.at] === null &&
        !(isByName && nameScore(field, column) > MENTIONED) &&
        (scores[index] as number) > decoy &&
        (scores[index] as number) >= score * CLOSE,
    )
    if (rivals.length === 0) continue
    if (field.isNeeded) doubts.push({ field: field.name, columns: [winner, ...rivals].map(({ column }) => column) })
    if (!isByName) assigned[winner.column.at] = null
  }
  return { fields: assigned, doubts }
}

function decoyScore({ words, fit }: Decoy, column: TableColumn): number {
  if (fit && column.cells.length > 0 && fit(column) < MIN_FIT) return 0
  const isExact = column.keys.some(({ key, score }) => score >= WITHOUT_QUALIFIERS && COLUMN_KEYS[words].includes(key))
  const name = isExact ? EXACT + 0.5 : mentions(column.title, words) ? MENTIONED : 0
  if (name === 0) return 0
  return column.cells.length === 0 ? name / 2 : name + BY_FIT
}

function scoreOf<Name extends string>(field: Field<Name>, column: TableColumn): number {
  const name = nameScore(field, column)
  const preference = name === 0 ? 0 : (field.preference?.(column) ?? 0)
  if (!field.fit) return name === 0 ? 0 : name + preference
  const fit = field.fit(column)
  if (fit === NEVER) return 0
  if (name > RESEMBLING) {
    if (column.cells.length === 0) return name / 2
    return name + preference + fit * BY_FIT - (fit < CONTRADICTED ? (field.misfit ?? MISFIT) : 0)
  }
  const alone = field.byCells === undefined ? 0 : (field.fitAlone ?? field.fit)(column)
  const minFit = field.minFit ?? MIN_FIT
  // Remarks stand in a few rows.
  const filled = Math.sqrt(column.cells.length / Math.max(1, column.rows))
  const byCells = alone >= minFit ? alone * filled * (field.byCells ?? 0) : 0
  const resembling = name > 0 && column.cells.length > 0 && fit >= minFit ? name + preference + fit * BY_FIT : 0
  return Math.max(byCells, resembling)
}

function nameScore<Name extends string>({ words, fit }: Field<Name>, { keys }: TableColumn): number {
  let best = 0
  for (const { key, score } of keys)
    for (const column of words) {
      const rank = COLUMN_KEYS[column].indexOf(key)
      if (rank >= 0) best = Math.max(best, score - Math.min(1, rank * BY_RANK))
    }
  if (best > 0 || !fit) return best
  const isLike = keys.some(({ key, score }) => score > SHORT && words.some((column) => resembles(key, column)))
  return isLike ? RESEMBLING : 0
}

/** Shorter words are parts of unrelated ones. */
const MIN_WORD = 4
const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}$/u
const isHead = (word: string) => word.length >= MIN_WORD || EAST_ASIAN.test(word)

/** Letters that may differ in a word of this length. */
const allowedMisspellings = (length: number) => (length >= 8 ? 2 : length >= 5 ? 1 : 0)

/** Whether a word of the key is one of the column, ends with one, or the key is a misspelt one: `Sale date`, `Aktionspreis`, `Storrage`. */
function resembles(key: string, column: NamedColumn): boolean {
  const words = COLUMN_KEYS[column]
  const heads = words.filter((word) => !word.includes(' ') && isHead(word))
  const limit = allowedMisspellings(key.length)
  return (
    key.split(/[ .]/).some((part) => heads.some((head) => part.endsWith(head))) ||
    (limit > 0 && words.some((word) => word.length >= 5 && editDistance(key, word, limit) <= limit))
  )
}

/** Whether a word of the column stands in the title, alone or at the edge of a longer one: `Neupreis`, `Gesamtpreis`, `seller_registration_date`. */
export function mentions(title: string, column: NamedColumn): boolean {
  const key = columnKey(title)
  const parts = key.split(/[ .]/)
  return COLUMN_KEYS[column].some((word) =>
    word.includes(' ')
      ? ` ${key} `.includes(` ${word} `)
      : EAST_ASIAN.test(word)
        ? key.includes(word)
        : parts.some(
            (part) => part === word || (word.length >= MIN_WORD && (part.startsWith(word) || part.endsWith(word))),
          ),
  )
}
