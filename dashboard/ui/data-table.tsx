import type { Key, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export type Column<Row> = {
  readonly title: string
  /**
   * Of the cells; `number` aligns the title like them. `wide-only`, `desk-only` and `roomy-only` hide the column in ever
   * narrower tables; as a card a row has them all.
   */
  readonly className?: string
  /** Names the row: on phones its cell is shown without the title. */
  readonly isRowName?: boolean
  readonly cell: (row: Row, index: number) => ReactNode
}

/** A value that is not known: a dash in a table, nothing in a card. */
export const Blank = () => <span className="blank">–</span>

/** Classes of cells that their title has too. */
const TITLE_CLASSES: ReadonlySet<string> = new Set([
  'number',
  'wide-only',
  'desk-only',
  'roomy-only',
  'phone-only',
  'choose',
])

const titleClass = ({ className = '' }: { readonly className?: string }) =>
  className
    .split(' ')
    .filter((each) => TITLE_CLASSES.has(each))
    .join(' ') || undefined

/**
 * Table whose rows become cards on phones, where empty cells are hidden. With the class `two-lines` a row has two lines there:
 * the cells `phone-name` and `phone-amount` in the first, `phone-about` in the second; `phone-only` cells are nowhere else.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  isMuted,
  actions,
  className = '',
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row, index: number) => Key
  isMuted?: (row: Row) => boolean
  /** Buttons in a last column. */
  actions?: ((row: Row) => ReactNode) | undefined
  className?: string
}) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scroll areas must be reachable by keyboard
    <section className={`scroll cards ${className}`} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={titleClass(column)}>
                {column.title}
              </th>
            ))}
            {actions ? (
              <th scope="col">
                <span className="visually-hidden">{t('table.actions')}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowKey(row, index)} className={isMuted?.(row) ? 'past' : undefined}>
              {columns.map(({ title, className, isRowName, cell }) => (
                <td key={title} data-label={isRowName ? undefined : title} className={className}>
                  {cell(row, index)}
                </td>
              ))}
              {actions ? (
                <td>
                  <div className="row-actions">{actions(row)}</div>
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
