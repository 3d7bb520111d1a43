import type { Language } from '../contract/languages.ts'
import { BYTE_ORDER_MARK, csvStyleOf, formatCsvLine, unguardFormula } from '../lib/csv-writer.ts'
import { rejectionOfEnglish, rejectionText } from '../lib/rejection-texts.ts'
import { translator } from '../lib/translations.ts'
import { readCsvBlocks } from './read/csv-reader.ts'

/** The report of rejected rows, which is stored in English, in another language. */
export async function* translateRejectedRows(
  content: AsyncIterable<string | Uint8Array>,
  language: Language,
): AsyncGenerator<string> {
  const t = translator(language, ['rejections'])
  const style = csvStyleOf(language)
  let isHeader = true
  for await (const block of readCsvBlocks(decode(content), 'report.csv', ',')) {
    const lines = block.map(({ fields: [line = '', reason = '', detail = '', ...cells] }) => {
      const columns = isHeader
        ? [t('column.line'), t('column.reason'), t('column.detail')]
        : [line, rejectionText(rejectionOfEnglish(reason) ?? reason, language), unguardFormula(detail)]
      const mark = isHeader ? BYTE_ORDER_MARK : ''
      isHeader = false
      return mark + formatCsvLine([...columns, ...cells.map(unguardFormula)], style)
    })
    yield lines.join('')
  }
}

async function* decode(content: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const piece of content) yield typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
}
