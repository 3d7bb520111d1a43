import type { SheetCell } from '../src/lib/sheet-texts.ts'
import { saveFile } from './api.ts'

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const SHEET_NAME = 'Appraised'

/** Saves rows as a spreadsheet. The library is loaded when it is first needed. */
export async function downloadXlsx(sheet: readonly (readonly SheetCell[])[], name: string): Promise<void> {
  const { writeXlsx } = await import('hucre/xlsx')
  const columns = (sheet[0] ?? []).map((title, at) => {
    const longest = Math.max(...sheet.slice(0, 200).map((cells) => String(cells[at] ?? '').length))
    return { header: String(title), width: Math.min(60, Math.max(8, longest + 2)) }
  })
  const bytes = await writeXlsx({
    sheets: [
      {
        name: SHEET_NAME,
        columns: columns.map(({ width }) => ({ width })),
        rows: sheet.map((cells) => [...cells]),
        freezePane: { rows: 1 },
      },
    ],
  })
  saveFile(name, new Blob([new Uint8Array(bytes)], { type: XLSX_TYPE }))
}
