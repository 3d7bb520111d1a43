import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Table whose rows become cards on phones, labelled by `data-label`. */
export function DataTable({
  label,
  head,
  hasActions = false,
  children,
}: {
  label: string
  /** Column titles; those of numbers are aligned like them. */
  head: readonly (string | { number: string })[]
  /** Adds a last column for buttons. */
  hasActions?: boolean
  children: ReactNode
}) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scroll areas must be reachable by keyboard
    <section className="scroll cards" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((column) =>
              typeof column === 'string' ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.number} scope="col" className="number">
                  {column.number}
                </th>
              ),
            )}
            {hasActions ? (
              <th scope="col">
                <span className="visually-hidden">{t('table.actions')}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
