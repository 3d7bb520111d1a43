import de from '../dashboard/locales/de.json'
import en from '../dashboard/locales/en.json'
import es from '../dashboard/locales/es.json'
import fr from '../dashboard/locales/fr.json'
import ko from '../dashboard/locales/ko.json'
import lt from '../dashboard/locales/lt.json'
import pl from '../dashboard/locales/pl.json'
import pt from '../dashboard/locales/pt.json'
import vi from '../dashboard/locales/vi.json'

export const SHEET_WORDS_FILE = new URL('../data/aliases/sheet-words.json', import.meta.url)

/** Columns of downloaded files that an import reads. */
const READ_COLUMNS = [
  ...(['device', 'grade', 'defects', 'identifier', 'reference', 'appraisal', 'outcome', 'currency', 'note'] as const),
  ...(['boughtFor', 'boughtOn', 'boughtCurrency', 'soldFor', 'soldOn', 'soldCurrency'] as const),
  ...(['declinedOn', 'declinedBy'] as const),
]

type Catalogue = typeof en
const catalogues = [en, de, es, fr, pt, pl, lt, vi, ko] as Catalogue[]

const inEveryLanguage = (read: (catalogue: Catalogue) => string) => [...new Set(catalogues.map(read))]

const codes = <Key extends string>(keys: readonly Key[], read: (catalogue: Catalogue, key: Key) => string) =>
  Object.fromEntries(keys.map((key) => [key, inEveryLanguage((catalogue) => read(catalogue, key))]))

const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[]

/** Words by which an import reads downloaded files of every language, as JSON. */
export function sheetWordsJson(): string {
  const titles = READ_COLUMNS.map((column) => [
    en.sheet.column[column],
    inEveryLanguage(({ sheet }) => sheet.column[column]),
  ])
  const grades = keysOf(en.codes.grade)
  const words = {
    columns: Object.fromEntries(titles),
    status: codes(keysOf(en.outcomes.status), ({ outcomes }, status) => outcomes.status[status]),
    declined_by: codes(keysOf(en.outcomes.by), ({ outcomes }, by) => outcomes.by[by]),
    grades: codes(grades, (catalogue, grade) => catalogue.codes.grade[grade]),
    assumed_grades: grades.flatMap((grade) =>
      inEveryLanguage(({ sheet, codes: texts }) => sheet.assumed.replace('{{grade}}', texts.grade[grade])),
    ),
    defects: codes(keysOf(en.codes.defect), (catalogue, defect) => catalogue.codes.defect[defect]),
  }
  return `${JSON.stringify(words, null, 2)}\n`
}

if (import.meta.main) await Bun.write(SHEET_WORDS_FILE, sheetWordsJson())
