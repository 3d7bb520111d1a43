import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TableScroll } from './table-scroll.tsx'

/**
 * Table whose rows become cards on phones, labelled by `data-label`. `hasActions`: adds a last column for buttons.
 */
export function DataTable({
  label,
  head,
  hasActions = false,
  children,
}: {
  label: string
  head: readonly string[]
  hasActions?: boolean
  children: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <TableScroll label={label} asCards>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {hasActions ? (
              <th scope="col">
                <span className="visually-hidden">{t('table.actions')}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </TableScroll>
  )
}
